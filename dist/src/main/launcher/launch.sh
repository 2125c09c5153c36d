# shellcheck shell=bash
# Sourced by ./quiver of a checkout and by bin/quiver of the archive: the options Java is started with.

# One list for recording and for use: an AOT cache only fits the options it was made with.
# shellcheck disable=SC2034
quiver_common=(-XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -Xlog:disable -Xlog:all=error:stderr)

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
    up | server) options+=(-Xmx256m -XX:MaxDirectMemorySize=4g -XX:+ExitOnOutOfMemoryError) ;;
    demo | digest | put | get | bench) options+=(-Xmx1g -XX:MaxDirectMemorySize=4g) ;;
    simulate | reproduce) options+=(-Xmx3g) ;;
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
