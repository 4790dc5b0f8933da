import type { NodeImporter } from '../../engine/interop/importer'
import { startDefaults } from './schema'

const map: NodeImporter['map'] = () => ({ data: startDefaults(), ports: { default: 'next' } })

/** The start of a drawn flow; what it asks for and what each message brings stand in blocks of their own. */
export const startFromDify: NodeImporter = { product: 'dify', types: ['start'], map }
export const startFromFlowise: NodeImporter = { product: 'flowise', types: ['startAgentflow'], map }
