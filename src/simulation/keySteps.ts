import { hashSecret } from '../service/testing.ts'
import type { ScenarioNames } from './names.ts'
import type { StepOf } from './steps.ts'
import type { World } from './world.ts'

/** Issues a key whose secret follows from its name: equal scripts issue equal keys. */
export async function issueKey(
  world: World,
  names: ScenarioNames,
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

/** Revokes a key, as its partner would. */
export async function revokeKey(
  world: World,
  names: ScenarioNames,
  { key: name }: StepOf<'revoke-key'>,
): Promise<void> {
  const key = names.keys.get(name)
  await world.store.revokeKey(key.keyId, world.serviceClock.nowMs())
  names.keys.set(name, { ...key, revoked: true })
}
