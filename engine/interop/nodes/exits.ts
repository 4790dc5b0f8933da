import type { MappedBlock, NodeContext } from '../importer'
import { DEFAULT_EXIT } from './nodeGraph'

/** The exits of a node that may fail: success, and where an error leads, possibly to the same place. */
export const failing = (port: string, failed: string, { failure }: NodeContext): MappedBlock['ports'] =>
  failure === DEFAULT_EXIT ? { default: port } : { default: port, [failure]: failed }
