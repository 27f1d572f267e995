import { clauses } from './types.ts'

/** §3 States and transitions. */
export const section3 = clauses(
  { section: '3', subject: 'confirm', level: 'silent', capability: 'attribution' },
  {
    'confirm.states': {
      clause: 'States and transitions: not shown.',
      statement: 'Unspecified: which responses a report gets between unknown and recorded.',
    },
  },
)
