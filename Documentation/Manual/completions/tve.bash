#!/bin/bash

__tve_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__tve_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__tve_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__tve_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_tve() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __tve_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    demo|sandbox|doctor|login|status|providers|authorize|preauthorize|metadata|logout|stats|token|storage|help)
        # Offer subcommand argument completions
        "_tve_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'demo sandbox doctor login status providers authorize preauthorize metadata logout stats token storage help' -- "${cur}"))
        ;;
    esac
}

_tve_demo() {
    repeating_flags=()
    non_repeating_flags=(--abandon --sso --json --trace-ids --version -h --help)
    repeating_options=()
    non_repeating_options=(--service --dialect --requestor --provider --user --password --resource --denied --statement --trace)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--provider')
        return
        ;;
    '--user')
        return
        ;;
    '--password')
        return
        ;;
    '--resource')
        return
        ;;
    '--denied')
        return
        ;;
    '--statement')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_sandbox() {
    repeating_flags=()
    non_repeating_flags=(--listen --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--host --port --world)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--host')
        return
        ;;
    '--port')
        return
        ;;
    '--world')
        return
        ;;
    esac
}

_tve_doctor() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace --redirect)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    '--redirect')
        return
        ;;
    esac
}

_tve_login() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --browser --second-screen --json --force --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace --provider --headless --password)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    '--provider')
        return
        ;;
    '--headless')
        return
        ;;
    '--password')
        return
        ;;
    esac
}

_tve_status() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_providers() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_authorize() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_preauthorize() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --fresh --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_metadata() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_logout() {
    repeating_flags=()
    non_repeating_flags=(--trace-ids --json --version -h --help)
    repeating_options=(--service)
    non_repeating_options=(--dialect --requestor --statement --timeout --directory -d --trace)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--service')
        return
        ;;
    '--dialect')
        __tve_add_completions -W 'classic'$'\n''v2'
        return
        ;;
    '--requestor')
        return
        ;;
    '--statement')
        return
        ;;
    '--timeout')
        return
        ;;
    '--directory'|'-d')
        return
        ;;
    '--trace')
        return
        ;;
    esac
}

_tve_stats() {
    repeating_flags=()
    non_repeating_flags=(--json --reset --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    esac
}

_tve_token() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __tve_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    inspect|verify)
        # Offer subcommand argument completions
        "_tve_token_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'inspect verify' -- "${cur}"))
        ;;
    esac
}

_tve_token_inspect() {
    repeating_flags=()
    non_repeating_flags=(--show-secrets --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--bundle-id)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--bundle-id')
        return
        ;;
    esac
}

_tve_token_verify() {
    repeating_flags=()
    non_repeating_flags=(--allow-1024 --json --version -h --help)
    repeating_options=(--key)
    non_repeating_options=(--requestor --resource --tolerance)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--key')
        return
        ;;
    '--requestor')
        return
        ;;
    '--resource')
        return
        ;;
    '--tolerance')
        return
        ;;
    esac
}

_tve_storage() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __tve_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    path|ls|get|put|rm|check|import|export|reseal)
        # Offer subcommand argument completions
        "_tve_storage_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'path ls get put rm check import export reseal' -- "${cur}"))
        ;;
    esac
}

_tve_storage_path() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_ls() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_get() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --show-secrets --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_put() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_rm() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --recursive -r --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_check() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file --mode)
    __tve_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    '--mode')
        __tve_add_completions -W 'none'$'\n''report'$'\n''all'$'\n''clear'$'\n''repair'
        return
        ;;
    esac
}

_tve_storage_import() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_export() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_storage_reseal() {
    repeating_flags=()
    non_repeating_flags=(--unsealed --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory -d --app --key-file)
    __tve_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--directory'|'-d')
        return
        ;;
    '--app')
        return
        ;;
    '--key-file')
        return
        ;;
    esac
}

_tve_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __tve_offer_flags_options -1
}

complete -o filenames -F _tve tve
