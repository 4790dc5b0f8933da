import type { NodeImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { goToDefaults } from './schema'

/** A call of another flow, which is not in the file. */
export const goToFromFlowise: NodeImporter = {
  product: 'flowise',
  types: ['executeFlowAgentflow'],
  map(block, context) {
    noteOthers(
      block,
      [
        'id',
        'type',
        'executeFlowSelectedFlow',
        'executeFlowInput',
        'executeFlowReturnResponseAs',
        'executeFlowUpdateState',
        'executeFlowOverrideConfig',
        'executeFlowBaseURL',
      ],
      context,
    )
    context.note(
      'It runs another flow, which this file does not hold: import that one, choose it, and say which variables are given to it and taken from it.',
    )
    return { data: { ...goToDefaults(), to: 'flow' }, ports: { default: 'returned' } }
  },
}
