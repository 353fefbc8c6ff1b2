# Builds the system when its sources have changed, and makes the AOT caches that shorten a start. Sourced by ./satchel.

aot_attempts=3
declare -A attempted=() # caches, by this process

# prepare NEED...: installs what the command needs, and what a build needs if there is one to do; then builds.
prepare() {
    if is_built; then
        require jdk "$@"
        return
    fi
    require jdk mvn:maven node "$@"
    build
}

is_built() {
    [[ -f "$jar" && -f "$stamp" ]] || return 1
    local newer
    newer="$(cd "$root" && find pom.xml ./*/pom.xml ./*/src/main web/src web/public web/build web/*.* -newer "$stamp" -print -quit)"
    [[ -z "$newer" ]]
}

build() {
    say "building (the first time this takes a few minutes) ..."
    rm -f "$stamp" "$server_cache"* "$cli_cache"*
    maven --quiet -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true -Djacoco.skip=true package >&2 ||
        fail "the build failed; the reason stands above"
    touch "$stamp"
    make_aot_cache "$server_cache" train_server
    make_aot_cache "$cli_cache" train_cli
}

maven() { mvn --batch-mode --file "$root/pom.xml" "$@"; }

# make_aot_cache CACHE TRAINING: runs a program once so that the JVM can store the classes it loads. Does nothing when
# there is a cache of this JDK and these flags. Only the time of a start depends on it, so a failure stops nothing: the
# next start tries again, but not more than three times for one build and one JDK, since each attempt delays a start.
make_aot_cache() {
    local cache="$1" training="$2" key made_for="" failures=0 failed_for=""
    [[ -z "${attempted[$cache]:-}" ]] || return 0
    attempted[$cache]=1
    read -r -d '' key <"$JAVA_HOME/release" || true
    key="${key//$'\n'/ } ${jvm_flags[*]}"
    [[ ! -f "$cache.key" ]] || read -r made_for <"$cache.key" || true
    [[ -f "$cache" && "$made_for" == "$key" ]] && return
    [[ ! -f "$cache.failures" ]] || read -r failures failed_for <"$cache.failures" || true
    [[ "$failed_for" == "$key" ]] || failures=0
    [[ -w "${cache%/*}" && "$failures" -lt "$aot_attempts" ]] || return 0

    say "preparing a faster start ..."
    rm -f "$cache" "$cache.new"
    if "$training" "$cache.new" >"$cache.log" 2>&1 && [[ -f "$cache.new" ]]; then
        mv "$cache.new" "$cache"
        printf '%s\n' "$key" >"$cache.key"
        rm -f "$cache.failures"
        return
    fi
    printf '%d %s\n' "$((failures + 1))" "$key" >"$cache.failures"
    say "no AOT cache (attempt $((failures + 1)) of $aot_attempts), so starts take longer; see $cache.log"
}

# A server that starts, answers a few requests and stops. Without profiles: compiling by them from the first moment
# costs a start more than it gains later.
train_server() {
    "$JAVA_HOME/bin/java" "${jvm_flags[@]}" -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining \
        -XX:AOTCacheOutput="$1" -jar "$jar" train
}

# A command whose server does not exist, so it fails.
train_cli() {
    "$JAVA_HOME/bin/java" "${cli_flags[@]}" -XX:AOTCacheOutput="$1" -jar "$cli_jar" \
        chats --url http://127.0.0.1:1 --key none || true
}
