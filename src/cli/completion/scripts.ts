import { quoted } from '../../host/shellWord.ts'
import type { Place } from './tree.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Returns the script that completes command lines in a shell. It holds every word, because starting the program for each
 * completion would take too long.
 */
export function completionScript(shell: Shell, program: string, places: readonly Place[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program, places)
}

/** Returns the shell pattern that matches the paths of all commands. */
function pathCases(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')
}

function choiceCases(
  places: readonly Place[],
  line: (values: readonly string[]) => string,
): readonly string[] {
  return places.flatMap(({ path, choices }) =>
    choices.map(({ flag, values }) => `    ${quoted(`${path} ${flag}`)}) ${line(values)}; return ;;`),
  )
}

function bashScript(program: string, places: readonly Place[]): string {
  const choices = choiceCases(
    places,
    (values) => `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$current"))`,
  )
  return `# ${program} completion for bash: source <(${program} completion bash)
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${pathCases(places)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $before" in
${choices.join('\n')}
  esac
  case "$at" in
${places.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ text }) => text).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`
}

function zshScript(program: string, places: readonly Place[]): string {
  const choices = choiceCases(places, (values) => `compadd -- ${values.map(quoted).join(' ')}`)
  const described = ({ words }: Place) =>
    words.map(({ text, description }) => quoted(`${text}:${description.replaceAll(':', '\\:')}`)).join(' ')
  return `#compdef ${program}
# ${program} completion for zsh: source <(${program} completion zsh)
_${program}() {
  local at='' word
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    case "\${at:+$at }$word" in
      ${pathCases(places)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${choices.join('\n')}
  esac
  case "$at" in
${places.map((place) => `    ${quoted(place.path)}) found=(${described(place)}) ;;`).join('\n')}
  esac
  _describe -o ${quoted(program)} found
  [[ "$PREFIX" == -* ]] || _files
}
compdef _${program} ${program}
`
}

function fishScript(program: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, choices }) =>
    words.map(({ text, description }) => {
      const condition = `-n ${quoted(`__${program}_at ${JSON.stringify(path)}`)}`
      const what = `-d ${quoted(description)}`
      if (!text.startsWith('--')) return `complete -c ${program} -f ${condition} -a ${quoted(text)} ${what}`
      const values = choices.find(({ flag }) => flag === text)?.values
      const value = values === undefined ? '' : ` -x -a ${quoted(values.join(' '))}`
      return `complete -c ${program} ${condition} -l ${quoted(text.slice(2))}${value} ${what}`
    }),
  )
  return `# ${program} completion for fish: ${program} completion fish | source
function __${program}_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    if contains -- "$next" ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => quoted(path))
      .join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
