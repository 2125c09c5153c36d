# shellcheck shell=bash disable=SC2154
# Sourced by ./mvnw, the one addition to the standard script. Finds the JDK, and where MVNW_REPOURL names no
# repository to download from, lets an installed Maven fetch the pinned one through its own settings and mirrors.

# The standard script has switched the expansion of file names off.
set +f
# The formatter runs inside Maven and needs Java 25 too; without one the build still compiles by toolchain.
# shellcheck source=.mvn/find-jdk.sh
. "$scriptDir/.mvn/find-jdk.sh"
quiver_find_jdk || true
set -f

# Fetches the distribution as the ordinary artifact that it is, and puts it where the standard script looks.
fetch_by_installed_maven() {
  command -v mvn >/dev/null 2>&1 ||
    die "mvnw: no Maven found. Install any Maven 3, or set MVNW_REPOURL to the address of a Maven repository."
  version=${distributionUrlNameMain#apache-maven-}
  scratch=$(mktemp -d) || die "cannot create temp dir"
  echo "mvnw: fetching Maven $version" >&2
  # Outside the project, so that its own build is not read by the older Maven.
  if ! (cd "$scratch" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
    -Dartifact="org.apache.maven:apache-maven:$version:zip:bin" -DoutputDirectory="$scratch") >"$scratch/log" 2>&1; then
    cat "$scratch/log" >&2
    rm -rf "$scratch"
    die "mvnw: could not fetch Maven $version (see above)"
  fi
  chmod +x "$scratch/apache-maven-$version/bin/mvn"
  mkdir -p "${MAVEN_HOME%/*}"
  # Another build may have put it there meanwhile: either copy will do.
  mv -T "$scratch/apache-maven-$version" "$MAVEN_HOME" 2>/dev/null || [ -d "$MAVEN_HOME" ] || die "fail to move MAVEN_HOME"
  rm -rf "$scratch"
}

if [ -z "${MVNW_REPOURL-}" ] && [ ! -d "$MAVEN_HOME" ]; then
  fetch_by_installed_maven
fi
