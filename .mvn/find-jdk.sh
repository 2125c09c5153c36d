# shellcheck shell=bash
# Sourced by ./mvnw and ./quiver: sets JAVA_HOME to a JDK of at least the version this project needs.
# Order: the caller's JAVA_HOME, the java on the PATH, the system's usual JVM folders.

quiver_java_feature=25

# Prints the feature version of the JDK in a folder, or nothing.
quiver_jdk_feature() {
  local version
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  echo "${version:-}"
}

quiver_find_jdk() {
  local candidate feature on_path
  on_path=$(command -v javac 2>/dev/null || true)
  [ -n "$on_path" ] && on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    [ -n "$candidate" ] || continue
    feature=$(quiver_jdk_feature "$candidate")
    if [ -n "$feature" ] && [ "$feature" -ge "$quiver_java_feature" ]; then
      export JAVA_HOME=$candidate
      return 0
    fi
  done
  return 1
}
