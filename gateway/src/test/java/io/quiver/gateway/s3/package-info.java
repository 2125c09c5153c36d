/** Tests of the S3 endpoint, mostly through real clients and a real store behind it. */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.s3;
