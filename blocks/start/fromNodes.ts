import type { NodeImporter } from '../../engine/interop/importer'
import { startDefaults } from './schema'

const map: NodeImporter['map'] = () => ({ data: startDefaults(), ports: { default: 'next' } })

/** The start of a graph; its inputs and the handling of messages become separate blocks. */
export const startFromDify: NodeImporter = { product: 'dify', types: ['start'], map }
export const startFromFlowise: NodeImporter = { product: 'flowise', types: ['startAgentflow'], map }
