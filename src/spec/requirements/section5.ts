import { clientAuthClauses } from './clientConfirm.ts'
import { clauses } from './types.ts'

/** §5 Authentication. */
export const section5 = [
  ...clauses(
    { section: '5', subject: 'all' },
    {
      'auth.bearer-header': {
        clause: 'Requests carry the header `Authorization: Bearer <API_KEY>`.',
        statement: 'A key sent as `Authorization: Bearer` is accepted on every endpoint.',
      },
      'auth.confirm.same-key': {
        clause: 'Confirm must use the same key that made the build.',
        statement:
          'A build reported with another valid key is not found, even when both keys belong to the same partner.',
        subject: 'confirm',
        capability: 'attribution',
      },
      'auth.build-of-active-key': {
        clause: 'A build belongs to one active key.',
        statement: 'After its key is revoked, a build cannot be reported with any key.',
        subject: 'confirm',
        capability: 'key-revocation',
      },
      'auth.individual-attribution': {
        clause: 'Individual partner keys get attribution.',
        sameAs: 'attribution.populated',
      },
      'auth.legacy-null': {
        clause: 'A legacy shared key gets `attribution: null`.',
        sameAs: 'attribution.null-when-unsupported',
      },
      'auth.confirm.unauthorized': {
        clause: 'Confirm answers 401 for an authentication failure.',
        sameAs: 'confirm.unauthorized',
      },
      'auth.key.letter-case': {
        clause: 'Confirm answers 401 for an authentication failure.',
        statement: 'A report with a key in other letter case returns 401.',
        subject: 'confirm',
        capability: 'attribution',
        level: 'convention',
        convention: {
          because:
            'The specification does not say when two texts are the same key. A key is sent as text, and text in other letter case is different text.',
          accepts: ['any response where the key has no letters'],
        },
      },
      'auth.keys.issuing': {
        clause: 'How keys are issued',
        statement: 'Unspecified: how keys are issued.',
        level: 'silent',
      },
      'auth.missing-key': {
        clause: 'whether quote and build reject a missing key: not shown.',
        statement: 'Unspecified: what quote and build return when the key is missing or unknown.',
        subject: 'quote-and-build',
        level: 'silent',
      },
      'auth.legacy-confirm': {
        clause: 'A legacy shared key gets `attribution: null`.',
        statement: 'Unspecified: what confirm returns for the legacy shared key.',
        subject: 'confirm',
        level: 'silent',
        capability: 'attribution',
      },
    },
  ),
  ...clientAuthClauses,
]
