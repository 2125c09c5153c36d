# shellcheck shell=bash disable=SC2034
# Read by bin/quiver before it starts Java. What the environment already says wins.

# Options for Java, for example more heap than the capacity suggests.
#QUIVER_JAVA_OPTS=${QUIVER_JAVA_OPTS:--Xmx1g}

# The cache that commands talk to.
#export QUIVER_SERVER=${QUIVER_SERVER:-http://127.0.0.1:7400}
