import type { Manifest, ManifestVenue } from '../../spec/manifest.ts'
import { concentrated } from './concentrated.ts'
import { constantProduct } from './constantProduct.ts'
import { directVenue } from './directVenue.ts'
import { settlementVenue } from './settlementVenue.ts'
import { singleton } from './singleton.ts'
import type { Venue } from './venue.ts'

/** Returns the six venues of a manifest, in the order used to break ranking ties. */
export function createVenues(manifest: Manifest): readonly Venue[] {
  return manifest.venues.map((venue) => createVenue(manifest, venue)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

function createVenue(manifest: Manifest, venue: ManifestVenue): Venue {
  switch (venue.id) {
    case 'venue_a':
      return constantProduct(manifest, venue)
    case 'venue_b':
      return concentrated(manifest, venue)
    case 'venue_c':
    case 'venue_d':
      return directVenue(manifest, venue)
    case 'venue_e':
      return singleton(manifest, venue)
    case 'venue_f':
      return settlementVenue(manifest, venue, 'wrapped', () => [{ via: [], encoded: '0x' }])
  }
}
