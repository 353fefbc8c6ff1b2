# Finds what a command needs and installs what is missing. Sourced by ./satchel.

lock_wait=300 # seconds to wait for another package manager

# The newest Node.js with long-term support, as npm packages: Debian 12 has only version 18. The sums are those that
# the registry publishes (dist.integrity), as hexadecimal SHA-512.
node_version=24.21.0
declare -A node_sums=(
    [x64]=de750bb336795f47dc898a46d2de93add029273027f3e16520d3fa3a2317ed5f07aefa404cf37ddfa5352e545e389ae22d16b87bcc84a900580a72f23cd02ced
    [arm64]=1692513c4cf63afbd32df8c83a5346158f492cf30a825e66f9de2819804b836e242759a6bcdd5997f1cf2601781c3689e752127afd65d5c459fc333e91e5d6e6
)
npm_version=11.21.1
npm_sum=613ccbe90044257c87713bb426251ced128ca7e9b3949b65eeb18b98445a5d441e14720c73d6ad76be86f4cf42f2f0d66efe347a9a13400ccd2f6fcfb5954385
node_home="$cache/node-$node_version"

# require NEED...: a need is "jdk", "node", COMMAND:DEBIAN-PACKAGE or PATH:DEBIAN-PACKAGE; * in a path is anything. Returns at once when nothing
# is missing.
require() {
    local need packages=() missing_jdk="" missing_node=""
    for need in "$@"; do
        case "$need" in
            jdk) find_jdk || missing_jdk=1 ;;
            node) find_node || missing_node=1 ;;
            *) is_installed "${need%%:*}" || packages+=("${need##*:}") ;;
        esac
    done
    [[ -z "$missing_jdk$missing_node" && ${#packages[@]} -eq 0 ]] && return

    local as_root=() may_install="" jdk_package=""
    if command -v apt-get >/dev/null; then
        become_root && may_install=1
        [[ -n "$may_install" ]] && update_lists
    fi
    if [[ -n "$missing_jdk" ]]; then
        jdk_package="$(available_jdk)"
        [[ -n "$jdk_package" ]] && packages+=("$jdk_package")
    fi
    if [[ -n "$missing_node" ]]; then
        if [[ -n "$may_install" ]] && debian_node_is_new_enough; then
            packages+=(nodejs npm)
            missing_node=""
        elif ! command -v npm >/dev/null; then
            packages+=(nodejs npm) # an older npm can fetch the newer Node.js
        fi
    fi
    if [[ -n "$missing_jdk" && -z "$jdk_package" ]]; then
        fail_without_jdk "${packages[@]}"
    fi
    [[ ${#packages[@]} -eq 0 ]] || install_packages "${packages[@]}"
    [[ -z "$missing_node" ]] || fetch_node
    verify "$@"
}

# $1 is a command, or a path in which * stands for anything.
is_installed() {
    { [[ "$1" == /* ]] && compgen -G "$1" >/dev/null; } || command -v "$1" >/dev/null
}

# Checks that the installation has brought what was needed.
verify() {
    local need
    hash -r
    for need in "$@"; do
        case "$need" in
            jdk) find_jdk || fail "the JDK that was installed is not found; set JAVA_HOME" ;;
            node) find_node || fail "Node.js that was installed is older than 20.19 or has no npm" ;;
            *) is_installed "${need%%:*}" || fail "${need%%:*} is not found after its installation" ;;
        esac
    done
}

# --- packages ------------------------------------------------------------------------------------

# Sets as_root to what runs a command as root; fails when that needs a password.
become_root() {
    if [[ "$(id -u)" -eq 0 ]]; then
        as_root=()
    elif sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        return 1
    fi
}

update_lists() {
    say "reading the package lists ..."
    apt update || say "some package lists could not be read; trying with those that are there"
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        fail "missing: what Debian calls $*. There is no apt-get here: install them in another way, then try again"
    fi
    if [[ -z "$may_install" ]]; then
        fail "missing: $*. To install, run:
  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends $*'$(without_sandbox "$@")"
    fi
    say "installing $* ..."
    apt install -y --no-install-recommends "$@" || fail "the installation failed, see above"
}

# What can be done without the right to install bubblewrap.
without_sandbox() {
    [[ " $* " == *" bubblewrap "* ]] || return 0
    printf '\n%s' "Without bubblewrap: SATCHEL_RUNNER=none ./satchel serve starts a server that refuses turns."
}

# apt COMMAND OPTION...: apt-get, repeated while another package manager holds a lock. apt-get itself waits only for
# the lock of dpkg, not for those of the lists and of the downloads.
apt() {
    local log deadline=$((SECONDS + lock_wait)) waiting=""
    log="$(mktemp)"
    until "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o "DPkg::Lock::Timeout=$lock_wait" "$@" >"$log" 2>&1 </dev/null; do
        if ! grep -q -i 'could not get lock\|unable to lock' "$log" || ((SECONDS >= deadline)); then
            cat "$log" >&2
            rm -f "$log"
            return 1
        fi
        [[ -n "$waiting" ]] || say "waiting for another package manager ..."
        waiting=1
        sleep 1
    done
    rm -f "$log"
}

# Prints the version of a Debian package that could be installed, or nothing.
candidate() {
    command -v apt-cache >/dev/null || return 0
    local version
    version="$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')"
    [[ "$version" == "(none)" ]] || printf '%s' "$version"
}

# --- the JDK -------------------------------------------------------------------------------------

# Whether a JDK that is new enough lies at $1. Its release file is read, since javac -version takes long.
is_jdk() {
    [[ -x "$1/bin/java" && -x "$1/bin/javac" && -f "$1/release" ]] || return 1
    local release
    read -r -d '' release <"$1/release" || true
    [[ "$release" =~ JAVA_VERSION=\"([0-9]+) && "${BASH_REMATCH[1]}" -ge 25 ]]
}

find_jdk() {
    [[ -n "${JAVA_HOME:-}" ]] && is_jdk "$JAVA_HOME" && return
    local candidate on_path
    local candidates=()
    on_path="$(command -v javac || true)"
    [[ -n "$on_path" ]] && candidates+=("$(dirname "$(dirname "$(readlink -f "$on_path")")")")
    for candidate in "${candidates[@]}" "$jvm_folder"/*; do
        if is_jdk "$candidate"; then
            export JAVA_HOME="$candidate"
            return
        fi
    done
    return 1
}

available_jdk() {
    local package
    for package in openjdk-25-jdk-headless temurin-25-jdk; do
        if [[ -n "$(candidate "$package")" ]]; then
            printf '%s' "$package"
            return
        fi
    done
}

# Debian 12 has no JDK 25, and neither Maven Central nor npm has one that can be trusted: see docs/decisions.
fail_without_jdk() {
    local keys=https://packages.adoptium.net/artifactory codename="" prefix="" suffix=""
    [[ -r /etc/os-release ]] && codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
    if [[ -z "$codename" ]] || ! command -v apt-get >/dev/null; then
        fail "no JDK 25 or newer found (looked at JAVA_HOME, PATH and $jvm_folder). Unpack one from https://adoptium.net and set JAVA_HOME.${*:+ Also missing, by the names of Debian: $*}"
    fi
    [[ "$(id -u)" -eq 0 ]] || { prefix="sudo sh -c '" && suffix="'"; }
    fail "no JDK 25 or newer found (looked at JAVA_HOME, PATH and $jvm_folder), and this system has no package of one.
Unpack one from https://adoptium.net and set JAVA_HOME, or install Eclipse Temurin${*:+ and what else is missing} with:
  ${prefix}apt-get update && apt-get install -y curl ca-certificates && curl -fsSo /etc/apt/trusted.gpg.d/adoptium.asc $keys/api/gpg/key/public && echo \"deb $keys/deb $codename main\" >/etc/apt/sources.list.d/adoptium.list && apt-get update && apt-get install -y --no-install-recommends temurin-25-jdk${*:+ $*}${suffix}"
}

# --- Node.js -------------------------------------------------------------------------------------

# Whether a version such as 22.12.1 can build the page.
is_new_node() {
    [[ "$1" =~ ^v?([0-9]+)\.([0-9]+) ]] || return 1
    local major="${BASH_REMATCH[1]}" minor="${BASH_REMATCH[2]}"
    ((major > 22 || (major == 22 && minor >= 12) || (major == 20 && minor >= 19)))
}

find_node() {
    command -v npm >/dev/null && is_new_node "$(node --version 2>/dev/null)" && return
    [[ -x "$node_home/bin/npm" ]] || return 1
    export PATH="$node_home/bin:$PATH"
}

debian_node_is_new_enough() { is_new_node "$(candidate nodejs)" && [[ -n "$(candidate npm)" ]]; }

# Unpacks Node.js and npm, which the npm that is there fetches, into the cache folder. This needs no root.
fetch_node() {
    local architecture fresh
    case "$(uname -m)" in
        x86_64) architecture=x64 ;;
        aarch64) architecture=arm64 ;;
        *) fail "Node.js 20.19 or newer with npm is missing, and there is none for this processor to fetch: install it" ;;
    esac
    say "fetching Node.js $node_version and npm $npm_version into $cache ..."
    mkdir -p "$cache"
    fresh="$(mktemp -d "$cache/node.XXXXXX")"
    trap "rm -rf '$fresh'" EXIT
    fetch "node-linux-$architecture@$node_version" "${node_sums[$architecture]}" "$fresh/node.tgz"
    fetch "npm@$npm_version" "$npm_sum" "$fresh/npm.tgz"
    mkdir -p "$fresh/lib/npm"
    tar -xzf "$fresh/node.tgz" -C "$fresh" --strip-components=1 package/bin/node package/LICENSE
    tar -xzf "$fresh/npm.tgz" -C "$fresh/lib/npm" --strip-components=1
    ln -s ../lib/npm/bin/npm-cli.js "$fresh/bin/npm"
    ln -s ../lib/npm/bin/npx-cli.js "$fresh/bin/npx"
    chmod +x "$fresh/lib/npm/bin/npm-cli.js" "$fresh/lib/npm/bin/npx-cli.js"
    rm "$fresh/node.tgz" "$fresh/npm.tgz"
    rm -rf "$node_home"
    mv "$fresh" "$node_home"
    trap - EXIT
}

# fetch PACKAGE@VERSION SHA512 FILE
fetch() {
    local packed
    packed="$(cd "${3%/*}" && npm pack --silent "$1")" || fail "npm cannot fetch $1"
    mv "${3%/*}/${packed##*$'\n'}" "$3"
    sha512sum --check --status <<<"$2  $3" || fail "$1 has other bytes than expected: it is not used"
}
