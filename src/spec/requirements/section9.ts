import { clauses } from './types.ts'

/** §9 Versioning. */
export const section9 = clauses(
  { section: '9', subject: 'all' },
  {
    'versioning.path': {
      clause: 'The version is in the path: `/api/v1/`.',
      statement: 'The endpoints answer under `/api/v1/`.',
    },
    'versioning.attribution-in-v1': {
      clause: 'The attribution object in build responses and the confirm endpoint were added to version 1',
      statement: 'Version 1 has `attribution` in builds, and confirm.',
      capability: 'attribution',
    },
    'versioning.older-builds': {
      clause: 'older builds carry no attribution.',
      statement: 'Builds from before the addition have no attribution.',
      level: 'untestable',
      untestableBecause: 'No build can be made as it was before attribution existed.',
    },
    'versioning.policy': {
      clause: 'A deprecation or compatibility policy: not shown.',
      statement: 'How versions end.',
      level: 'untestable',
      untestableBecause: 'No policy is described, so no answer of the service could break one.',
    },
  },
)
