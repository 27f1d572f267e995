import { Command, Option } from 'commander'
import { type Block, table } from '../../reporting/document/model.ts'
import type * as Service from '../../service/main.ts'
import { UsageError } from '../../spec/errors.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'

interface ShownKey {
  readonly keyId: string
  readonly partnerId: string
  readonly kind: string
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
}

interface StoreOptions {
  readonly database?: string
  readonly json?: boolean
}

/** Adds the options that all commands on stored keys share. */
function stored(command: Command, example: string): Command {
  return command
    .option('--database <url>', 'file:PATH or postgres://…; otherwise the variable DATABASE_URL')
    .option('--json', 'print what was done, or found, as JSON')
    .addHelpText('after', `\nExample:\n  plumbline keys ${command.name()} ${example}--database file:acme.db`)
}

export const keysCommand: DeclareCommand = (output) => {
  const keys = new Command('keys').description(
    'Issue, revoke and list the API keys of a reference service; make a key that signs recordings.',
  )

  stored(keys.command('issue'), '--partner acme ')
    .description('Make a key. Its text is shown once and stored as a SHA-256 only.')
    .requiredOption('--partner <id>', 'the partner that the key belongs to')
    .addOption(
      new Option('--kind <kind>', 'legacy keys get no attribution (§5)')
        .choices(['individual', 'legacy'])
        .default('individual'),
    )
    .action(
      async ({ partner, kind, ...options }: StoreOptions & { partner: string; kind: Service.KeyKind }) => {
        await withPartners(databaseOf(options), async (partners) => {
          const { key, record } = await partners.issueKey({ partnerId: partner, kind })
          const { keyId } = record
          output.out(options.json ? JSON.stringify({ key, keyId, partnerId: partner }) : key)
          if (!options.json) output.err(`key ${keyId} of ${partner}: keep it now, it is not shown again`)
        })
      },
    )

  stored(keys.command('revoke'), '7f7d… ')
    .description('Revoke a key. Builds that it made can no longer be confirmed.')
    .argument('<keyId>', 'the id that `keys list` shows')
    .action(async (keyId: string, options: StoreOptions) => {
      await withPartners(databaseOf(options), async (partners) => {
        if (!(await partners.revokeKey(keyId))) {
          throw new UsageError(`no active key has the id ${keyId}`, 'Run `plumbline keys list` for the ids.')
        }
        output.out(options.json ? JSON.stringify({ keyId, revoked: true }) : `revoked ${keyId}`)
      })
    })

  stored(keys.command('list'), '')
    .description('List the keys, revoked ones too. Their texts are not stored.')
    .action(async (options: StoreOptions) => {
      await withPartners(databaseOf(options), async (partners) => {
        // Fields are listed one by one, so that the hash of a key is never shown.
        const shown = (await partners.listKeys()).map(
          ({ keyId, partnerId, kind, createdAtMs, revokedAtMs }) => ({
            ...{ keyId, partnerId, kind, createdAtMs, revokedAtMs },
          }),
        )
        if (options.json) output.out(JSON.stringify(shown))
        else printBlocks([keyTable(shown)], output.out)
      })
    })
  keys
    .command('signing')
    .description('Make an Ed25519 key that signs recordings: FILE to sign, FILE.pub to verify.')
    .argument('<file>', 'where to write it; an existing file is not replaced')
    .option('--name <text>', 'whose it is, for people to read')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  plumbline keys signing release.key --name "release of acme"')
    .action(async (file: string, options: { name?: string; json?: boolean }) => {
      const { makeSigningKey } = await import('../recordings/makeSigningKey.ts')
      const { fingerprint, publicKeyFile, publicKey } = makeSigningKey(file, options.name ?? null)
      const made = { key: file, publicKeyFile, publicKey, fingerprint }
      output.out(options.json ? JSON.stringify(made) : publicKey)
      if (!options.json) output.err(`key ${fingerprint}: ${file} signs, ${publicKeyFile} verifies`)
    })
  return keys
}

function keyTable(keys: readonly ShownKey[]): Block {
  const day = (atMs: number) => new Date(atMs).toISOString()
  return table(
    'keys',
    ['key id', 'partner', 'kind', 'issued', 'state'],
    keys.map(({ keyId, partnerId, kind, createdAtMs, revokedAtMs }) => [
      ...[keyId, partnerId, kind, day(createdAtMs)],
      revokedAtMs === null ? 'active' : `revoked ${day(revokedAtMs)}`,
    ]),
  )
}

/** Loads the service only when a command needs it, not for the help. */
const withPartners: typeof Service.withPartners = async (...given) =>
  (await import('../../service/main.ts')).withPartners(...given)

function databaseOf(options: StoreOptions): string {
  const url = options.database ?? process.env.DATABASE_URL
  if (url !== undefined && url !== ':memory:') return url
  throw new UsageError(
    'no database is named',
    "Name the service's database with --database file:PATH (or postgres://…), or set DATABASE_URL.",
  )
}
