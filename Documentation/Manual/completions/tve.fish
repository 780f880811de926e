function __tve_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tve_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __tve_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tve_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __tve_parse_tokens -S
    set -l unparsed_tokens (__tve_tokens -pc)
    switch $unparsed_tokens[1]
    case 'tve'
        __tve_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'demo'
            __tve_parse_subcommand 0 'service=' 'dialect=' 'requestor=' 'provider=' 'user=' 'password=' 'resource=' 'denied=' 'statement=' 'abandon' 'sso' 'json' 'trace=' 'trace-ids' 'version' 'h/help'
        case 'sandbox'
            __tve_parse_subcommand 0 'host=' 'listen' 'port=' 'world=' 'json' 'version' 'h/help'
        case 'doctor'
            __tve_parse_subcommand 0 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'redirect=' 'version' 'h/help'
        case 'login'
            __tve_parse_subcommand 0 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'provider=' 'browser' 'headless=' 'password=' 'second-screen' 'json' 'force' 'version' 'h/help'
        case 'status'
            __tve_parse_subcommand 0 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'version' 'h/help'
        case 'providers'
            __tve_parse_subcommand 0 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'version' 'h/help'
        case 'authorize'
            __tve_parse_subcommand 1 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'version' 'h/help'
        case 'preauthorize'
            __tve_parse_subcommand -r 1 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'fresh' 'version' 'h/help'
        case 'metadata'
            __tve_parse_subcommand 1 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'version' 'h/help'
        case 'logout'
            __tve_parse_subcommand 0 'service=+' 'dialect=' 'requestor=' 'statement=' 'timeout=' 'd/directory=' 'trace=' 'trace-ids' 'json' 'version' 'h/help'
        case 'stats'
            __tve_parse_subcommand 0 'd/directory=' 'json' 'reset' 'version' 'h/help'
        case 'token'
            __tve_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'inspect'
                __tve_parse_subcommand 1 'show-secrets' 'bundle-id=' 'json' 'version' 'h/help'
            case 'verify'
                __tve_parse_subcommand 1 'key=+' 'requestor=' 'resource=' 'tolerance=' 'allow-1024' 'json' 'version' 'h/help'
            end
        case 'storage'
            __tve_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'path'
                __tve_parse_subcommand 0 'd/directory=' 'app=' 'key-file=' 'unsealed' 'json' 'version' 'h/help'
            case 'ls'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'json' 'version' 'h/help'
            case 'get'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'show-secrets' 'version' 'h/help'
            case 'put'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'version' 'h/help'
            case 'rm'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'r/recursive' 'version' 'h/help'
            case 'check'
                __tve_parse_subcommand 0 'd/directory=' 'app=' 'key-file=' 'unsealed' 'mode=' 'json' 'version' 'h/help'
            case 'import'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'verbose' 'version' 'h/help'
            case 'export'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'version' 'h/help'
            case 'reseal'
                __tve_parse_subcommand 1 'd/directory=' 'app=' 'key-file=' 'unsealed' 'version' 'h/help'
            end
        case 'help'
            __tve_parse_subcommand -r 1 'version'
        end
    end
end

function __tve_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __tve_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __tve_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __tve_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__tve_tokens -p)
    if test -z "$(__tve_tokens -t)"
        set -l index (count (__tve_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'tve' -f
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'demo' -d 'Run a whole entitlement flow over real HTTP and show each step.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'sandbox' -d 'Run a local service provider and TV provider until interrupted.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'doctor' -d 'Say what is wrong with a set-up, and what to do about it.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'login' -d 'Log a viewer in, in the browser of this machine or on another device.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'status' -d 'Say who is logged in; ends with 1 when nobody is.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'providers' -d 'List the TV providers that the requestor works with.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'authorize' -d 'Ask for a media token and print it.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'preauthorize' -d 'Say which resources the viewer would be allowed to watch.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'metadata' -d 'Say what is known about the viewer or this device; ends with 1 when nothing is.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'logout' -d 'Remove every token, and end the session at the service and the TV provider.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'stats' -d 'Say what the calls of all runs came to: attempts, failures by reason, durations.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'token' -d 'Look into a token, or verify a media token.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'storage' -d 'Look into a store, check it, move it.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" service' -l 'service' -d 'The base URL of a running sandbox.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" dialect' -l 'dialect' -d 'The wire dialect to speak.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" requestor' -l 'requestor' -d 'The requestor to establish.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" provider' -l 'provider' -d 'The TV provider to log in with.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" user' -l 'user' -d 'The viewer\'s name.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" password' -l 'password' -d 'The viewer\'s password.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" resource' -l 'resource' -d 'A resource that the viewer may watch.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" denied' -l 'denied' -d 'A resource that the viewer may not watch.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" statement' -l 'statement' -d 'The application\'s software statement; by default the sandbox\'s.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" abandon' -l 'abandon' -d 'Leave the login page instead of logging in.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" sso' -l 'sso' -d 'Tell the documented single sign-on stories of two apps instead, each step a process of its own.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" json' -l 'json' -d 'Print one JSON object a step instead of a timeline.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve demo" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" host' -l 'host' -d 'The IPv4 address to listen at.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" listen' -l 'listen' -d 'Listen to the whole network, so that a telephone can open the activation page; the console stays with this machine.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" port' -l 'port' -d 'The port; 0 takes any free one.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" world' -l 'world' -d 'A JSON file that describes another world.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" json' -l 'json' -d 'Print one JSON object for the start and for each exchange and change.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve sandbox" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" redirect' -l 'redirect' -d 'The redirect URL of your app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" provider' -l 'provider' -d 'The TV provider; asked for when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" browser' -l 'browser' -d 'Open the browser of this machine, which is what happens unless told otherwise.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" headless' -l 'headless' -d 'Log in as this viewer without a window.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" password' -l 'password' -d 'The viewer\'s password, with --headless.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" second-screen' -l 'second-screen' -d 'Show a code that the viewer types on another device.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" force' -l 'force' -d 'Show a login even when somebody is logged in.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve providers" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve authorize" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" fresh' -l 'fresh' -d 'Ask the service even if its last answer was about the same resources.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve preauthorize" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve metadata" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout"' -l 'service' -d 'Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" dialect' -l 'dialect' -d 'The wire dialect to speak; TVE_DIALECT, or classic, when not given.' -rfka 'classic v2'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" requestor' -l 'requestor' -d 'The requestor; TVE_REQUESTOR, or DEMO, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" statement' -l 'statement' -d 'The application\'s software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox\'s own, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" timeout' -l 'timeout' -d 'How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" trace' -l 'trace' -d 'Write a page that shows every call, callback, exchange and write.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" trace-ids' -l 'trace-ids' -d 'Let the page show fingerprints, resources and ids of viewers.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve stats" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app "tve".' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve stats" json' -l 'json' -d 'Print JSON.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve stats" reset' -l 'reset' -d 'Begin anew.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve stats" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve stats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve token" -eq 1' -fa 'inspect' -d 'Show what a token says, for whom, and until when.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve token" -eq 1' -fa 'verify' -d 'Verify a media token as a playback back end does.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token inspect" show-secrets' -l 'show-secrets' -d 'Show ids of viewer and device in full.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token inspect" bundle-id' -l 'bundle-id' -d 'The app whose device id counts as this machine\'s.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token inspect" json' -l 'json' -d 'Print one JSON object instead of a table.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token inspect" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token inspect" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify"' -l 'key' -d 'A public key or certificate in PEM; may be given several times.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" requestor' -l 'requestor' -d 'The requestor the token must be for; by default whichever it names.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" resource' -l 'resource' -d 'The resource the token must be for.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" tolerance' -l 'tolerance' -d 'Seconds by which the token may be past its expiry.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" allow-1024' -l 'allow-1024' -d 'Accept keys of fewer than 2,048 bits.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve token verify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'path' -d 'Say where the store is.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'ls' -d 'List entries with the size of their values as they are kept.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'get' -d 'Print a value.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'put' -d 'Store what comes on standard input.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'rm' -d 'Remove an entry.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'check' -d 'Check the store and every value in it.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'import' -d 'Store entries that export wrote, one after the other.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'export' -d 'Write all entries, opened, as lines of JSON.'
complete -c 'tve' -n '__tve_should_offer_completions_for_positional "tve storage" -eq 1' -fa 'reseal' -d 'Seal every value with another key.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage path" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage ls" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" show-secrets' -l 'show-secrets' -d 'Print the value itself, byte for byte.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage put" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" r recursive' -l 'recursive' -s 'r' -d 'Remove everything below the key as well.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage rm" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" mode' -l 'mode' -d 'report, none, all, repair or clear.' -rfka 'none report all clear repair'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" json' -l 'json' -d 'Print one JSON object instead of text for people.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" verbose' -l 'verbose' -d 'Print the key of each entry as soon as it is on the medium.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" d directory' -l 'directory' -s 'd' -d 'The store\'s directory; by default that of the app in --app.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" app' -l 'app' -d 'The app whose store it is.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" key-file' -l 'key-file' -d 'The file with the sealing key; by default sealing.key in the directory.' -rfka ''
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" unsealed' -l 'unsealed' -d 'The store is not sealed.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" version' -l 'version' -d 'Show the version.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve storage reseal" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tve' -n '__tve_should_offer_completions_for_flags_or_options "tve help" version' -l 'version' -d 'Show the version.'
