import { hashSecret } from '../service/testing.ts'
import type { StoryNames } from './names.ts'
import type { StepOf } from './steps.ts'
import type { World } from './world.ts'

/** A key with a secret that follows from its name: equal scripts issue equal keys. */
export async function issueKey(
  world: World,
  names: StoryNames,
  { as, partner, kind }: StepOf<'issue-key'>,
): Promise<void> {
  const secret = `plumbline-story-key-${as}`
  const keyId = `key-${as}`
  await world.store.insertKey({
    keyId,
    partnerId: partner,
    kind,
    secretSha256: hashSecret(secret),
    createdAtMs: world.serviceClock.nowMs(),
    revokedAtMs: null,
  })
  names.keys.set(as, { keyId, partnerId: partner, kind, secret, revoked: false })
}

/** Ends a key, as its partner would. */
export async function revokeKey(
  world: World,
  names: StoryNames,
  { key: name }: StepOf<'revoke-key'>,
): Promise<void> {
  const key = names.keys.get(name)
  await world.store.revokeKey(key.keyId, world.serviceClock.nowMs())
  names.keys.set(name, { ...key, revoked: true })
}
