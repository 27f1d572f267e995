import { execFileSync } from 'node:child_process'
import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { completionScript } from './scripts.ts'
import { placesOf } from './tree.ts'

function program(): Command {
  const keys = new Command('keys').description('Keys.')
  keys
    .command('issue')
    .option('--partner <id>', "the partner's id")
    .addOption(new Option('--kind <k>').choices(['one', 'two']))
  keys.command('list')
  return new Command('plumbline')
    .addCommand(keys)
    .addCommand(new Command('run').option('--seed <n>', 'decides'))
}

/** Returns the words that bash offers; the last given word is being typed. */
function offered(...words: readonly string[]): readonly string[] {
  const script = completionScript('bash', 'plumbline', placesOf(program()))
  const typed = ['plumbline', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

test.each([
  ['commands first', [''], ['keys', 'run', '--help']],
  ['what begins as typed', ['r'], ['run']],
  ['the commands of a command', ['keys', ''], ['issue', 'list', '--help']],
  ['the flags of an inner command', ['keys', 'issue', '--'], ['--partner', '--kind', '--help']],
  ['the values of a flag', ['keys', 'issue', '--kind', ''], ['one', 'two']],
  ['the same after a flag with a value', ['keys', 'issue', '--partner', 'acme', '--k'], ['--kind']],
  ['nothing for what it does not know, so that the shell offers files', ['run', 'reports/'], ['']],
])('bash offers %s', (_name, words, expected) => {
  expect(offered(...words)).toEqual(expected)
})

test('an apostrophe in a description stays within its quotes', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    expect(completionScript(shell, 'plumbline', placesOf(program()))).toContain("the partner'\\''s id")
  }
})
