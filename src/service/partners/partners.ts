import type { ServiceDeps } from '../deps.ts'
import { InvalidRequestError, UnauthorizedError } from '../errors.ts'
import type { KeyKind, KeyRecord, PartnerMetrics } from '../records.ts'
import { bearerKey, hashSecret, keyText } from './secret.ts'

const PARTNER_ID = /^[A-Za-z0-9._-]{1,64}$/

interface IssuedKey {
  /** The text that the partner sends as `Bearer`. It cannot be retrieved later. */
  readonly key: string
  readonly record: KeyRecord
}

export interface Partners {
  /**
   * Returns the key of an `Authorization` header (§5).
   *
   * @throws {UnauthorizedError} the header is missing or malformed, or the key is unknown or revoked: 401.
   * @throws {StoreUnavailableError} the keys cannot be read.
   */
  authenticate(authorization: string | undefined): Promise<KeyRecord>
  /**
   * Issues a key to a partner. A partner may have several; each has its own totals (§4.3 rule 8).
   *
   * @throws {InvalidRequestError} `partnerId` is not 1 to 64 characters of `[A-Za-z0-9._-]`.
   */
  issueKey(request: { readonly partnerId: string; readonly kind: KeyKind }): Promise<IssuedKey>
  /** Revokes a key; false if no active key has this id. Its builds can no longer be confirmed. */
  revokeKey(keyId: string): Promise<boolean>
  listKeys(): Promise<readonly KeyRecord[]>
  /** Returns the totals of this key (§4.3 rule 8). */
  report(caller: KeyRecord): Promise<PartnerMetrics>
}

export function createPartners({
  store,
  clock,
  ids,
}: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>): Partners {
  return {
    async authenticate(authorization) {
      if (authorization === undefined) throw new UnauthorizedError('the header Authorization is missing')
      const key = bearerKey(authorization)
      if (key === null)
        throw new UnauthorizedError('the header Authorization is not of the form `Bearer <API_KEY>`')
      const record = await store.findKeyByHash(hashSecret(key))
      // The same message for unknown and revoked keys, so that it does not reveal which keys existed.
      if (record === null || record.revokedAtMs !== null) {
        throw new UnauthorizedError('the API key is not active')
      }
      return record
    },

    async issueKey({ partnerId, kind }) {
      if (!PARTNER_ID.test(partnerId)) {
        throw new InvalidRequestError('partnerId', 'must be 1 to 64 characters of [A-Za-z0-9._-]')
      }
      const key = keyText(ids.secret())
      const record: KeyRecord = {
        keyId: ids.uuid(),
        partnerId,
        kind,
        secretSha256: hashSecret(key),
        createdAtMs: clock.nowMs(),
        revokedAtMs: null,
      }
      await store.insertKey(record)
      return { key, record }
    },

    revokeKey: (keyId) => store.revokeKey(keyId, clock.nowMs()),
    listKeys: () => store.listKeys(),
    report: (caller) => store.metrics(caller.keyId),
  }
}
