# shellcheck shell=bash
# Sourced by ./mvnw, ./quiver and the archive's bin/quiver: sets JAVA_HOME to a JDK, or a Java that only runs
# programs, of at least the version this project needs.
# Order: the caller's JAVA_HOME, the java on the PATH, the system's usual JVM folders.

quiver_java_feature=25

# Prints the feature version of the Java in a folder that has this tool, or nothing.
quiver_java_feature_of() {
  local version
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$2" ] && [ -r "$1/release" ] || return 0
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  echo "${version:-}"
}

quiver_find_jdk() { quiver_find_java javac; }

# Finds a Java that has this tool; any that can run programs without one.
quiver_find_java() {
  local tool=${1:-java} candidate feature on_path
  on_path=$(command -v "$tool" 2>/dev/null || true)
  [ -n "$on_path" ] && on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    [ -n "$candidate" ] || continue
    feature=$(quiver_java_feature_of "$candidate" "$tool")
    if [ -n "$feature" ] && [ "$feature" -ge "$quiver_java_feature" ]; then
      export JAVA_HOME=$candidate
      return 0
    fi
  done
  return 1
}
