# shellcheck shell=bash
# Sourced by ./quiver of a checkout and by bin/quiver of the archive: the options Java is started with.

# One list for recording and for use: an AOT cache only fits the options it was made with.
# shellcheck disable=SC2034
quiver_common=(-XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -Xlog:disable -Xlog:all=error:stderr)

# Prints the most megabytes of heap for a server: 256 for up to a terabyte, 64 for each one more. The store itself
# needs 8 for a terabyte; the rest is for the blobs that keepers of single blobs remember. The heap grows as needed.
quiver_heap() {
  local size='' terabytes=1
  while [ $# -gt 0 ]; do
    case $1 in
      --capacity) size=${2:-} ;;
      --capacity=*) size=${1#*=} ;;
    esac
    shift
  done
  shopt -s nocasematch
  if [[ $size =~ ^([0-9]{1,6})(\.[0-9]+)?\ *([TP])i?B?$ ]]; then
    terabytes=$((10#${BASH_REMATCH[1]} + 1))
    [[ ${BASH_REMATCH[3]} != P ]] || terabytes=$((terabytes * 1024))
  elif [[ $size =~ ^([0-9]{1,9})[0-9]{12}$ ]]; then
    terabytes=$((10#${BASH_REMATCH[1]} + 1))
  elif [[ $size == *% ]]; then
    terabytes=16
  fi
  echo $((192 + 64 * terabytes))
}

# Replaces this shell by Java: quiver_launch LIB AOT_CACHE OPTION... -- ARGUMENT...
# QUIVER_JAVA_OPTS comes last, so that it wins.
quiver_launch() {
  local lib=$1 cache=$2 options=("${quiver_common[@]}") extra
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  case "${1:-}" in
    up | server) options+=("-Xmx$(quiver_heap "$@")m" -XX:MaxDirectMemorySize=4g -XX:+ExitOnOutOfMemoryError) ;;
    demo | digest | put | get | bench) options+=(-Xmx1g -XX:MaxDirectMemorySize=4g) ;;
    mount | gateway) options+=(-Xmx1g -XX:MaxDirectMemorySize=8g) ;;
    simulate | reproduce) options+=(-Xmx3g -Xmn512m) ;;
    # Over before the optimising compiler would pay off.
    *) options+=(-Xmx256m -XX:TieredStopAtLevel=1) ;;
  esac
  [ -r "$cache" ] && options+=(-XX:AOTCache="$cache")
  if [ -t 1 ]; then options+=(-Dquiver.terminal.out=true); else options+=(-Dquiver.terminal.out=false); fi
  if [ -t 2 ]; then
    # Lets bash fill in COLUMNS.
    shopt -s checkwinsize
    (:)
    options+=(-Dquiver.terminal.err=true -Dquiver.terminal.columns="${COLUMNS:-80}")
  else
    options+=(-Dquiver.terminal.err=false)
  fi
  read -r -a extra <<<"${QUIVER_JAVA_OPTS:-}"
  exec "$JAVA_HOME/bin/java" "${options[@]}" "${extra[@]}" -cp "$lib/quiver.jar" io.quiver.cli.Main "$@"
}
