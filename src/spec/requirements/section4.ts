import { clientBuildClauses, clientQuoteClauses } from './client.ts'
import { clientConfirmClauses } from './clientConfirm.ts'
import { buildFieldClauses, buildRuleClauses } from './section4-build.ts'
import { confirmClauses, reportClauses } from './section4-confirm.ts'
import { quoteClauses } from './section4-quote.ts'
import { clauses } from './types.ts'

/** §4 Endpoints. */
export const section4 = [
  ...clauses(
    { section: '4', subject: 'all' },
    {
      'service.paths': {
        clause: 'All paths are under `{base_url}`.',
        statement: 'Every endpoint is served under the base URL that the run was given.',
      },
      'service.json-bodies': {
        clause: 'Bodies are JSON.',
        statement:
          'Every response body is JSON. A refusal of quote or confirm, whose body is not shown, may have none.',
      },
      'service.content-type': {
        clause: 'Bodies are JSON.',
        statement: 'Unspecified: the `Content-Type` of responses.',
        level: 'silent',
      },
    },
  ),
  ...quoteClauses,
  ...clientQuoteClauses,
  ...buildFieldClauses,
  ...buildRuleClauses,
  ...clientBuildClauses,
  ...confirmClauses,
  ...reportClauses,
  ...clientConfirmClauses,
]
