package io.quiver.remote.s3;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * Keeps the slash that a key begins with. The SDK drops it, and would read another object: {@code
 * x} in place of {@code /x}.
 */
final class LeadingSlash implements ExecutionInterceptor {
  private static final String SLASH = "%2F";

  /** Runs before the SDK puts the bucket in front of the path. */
  @Override
  public SdkHttpRequest modifyHttpRequest(
      Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
    SdkHttpRequest request = context.httpRequest();
    String key = key(context.request());
    if (!key.startsWith("/")) {
      return request;
    }
    String rest = SdkHttpUtils.urlEncodeIgnoreSlashes(key.substring(1));
    String path = "/" + SLASH + rest.replace("//", "/" + SLASH);
    return request.toBuilder().encodedPath(path).build();
  }

  private static String key(SdkRequest request) {
    return switch (request) {
      case GetObjectRequest get -> get.key();
      case HeadObjectRequest head -> head.key();
      default -> "";
    };
  }
}
