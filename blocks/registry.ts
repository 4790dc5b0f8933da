import { createRegistry } from '../engine/flow/registry'
import { kinds } from './kinds'

/** The kinds of this installation; schema, palette, ports and importers derive from it. */
export const registry = createRegistry(kinds)
