import { clauses } from './types.ts'

/** §9 Versioning. */
export const section9 = clauses(
  { section: '9', subject: 'all' },
  {
    'versioning.path': {
      clause: 'The version is in the path: `/api/v1/`.',
      statement: 'The endpoints are served under `/api/v1/`.',
    },
    'versioning.attribution-in-v1': {
      clause: 'The attribution object in build responses and the confirm endpoint were added to version 1',
      statement: 'Version 1 has `attribution` in builds, and the confirm endpoint.',
      capability: 'attribution',
    },
    'versioning.older-builds': {
      clause: 'older builds carry no attribution.',
      statement: 'Builds made before attribution was added have no `attribution`.',
      level: 'untestable',
      untestableBecause: 'The suite cannot make a build that predates attribution.',
    },
    'versioning.policy': {
      clause: 'A deprecation or compatibility policy: not shown.',
      statement: 'Unspecified: how versions are deprecated.',
      level: 'untestable',
      untestableBecause: 'No policy is described, so no response could violate one.',
    },
  },
)
