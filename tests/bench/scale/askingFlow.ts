import { registry } from '../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'

const block = (id: string, kind: string, data: object = {}): Block => ({
  id,
  kind,
  version: registry.get(kind).migrations.length,
  data: { ...(registry.get(kind).defaults(() => `${id}-item`) as object), ...data } as Block['data'],
})

/** An endless conversation: asks for a text, keeps it, says it, and asks again. A turn of it calls nobody outside. */
export function askingFlow(): Flow {
  const said = [
    { type: 'paragraph' as const, children: [{ text: '' as const, variable: true as const, variable_id: 'word' }] },
  ]
  return {
    ...emptyFlow(),
    variables: [{ id: 'word', name: 'word', value: null }],
    groups: [
      { id: 'begin', title: 'Start', position: { x: 0, y: 0 }, blocks: [block('start', 'start')] },
      {
        id: 'ask',
        title: 'Ask',
        position: { x: 300, y: 0 },
        blocks: [
          block('asked', 'text-input', { prompt: plainRichText('And now?'), saveTo: 'word' }),
          block('said', 'text', { content: said }),
        ],
      },
    ],
    edges: [
      { from: { blockId: 'start', portId: 'next' }, to: { groupId: 'ask' } },
      { from: { blockId: 'said', portId: 'next' }, to: { groupId: 'ask' } },
    ],
  }
}
