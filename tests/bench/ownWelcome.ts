import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})

/** Says one sentence to whoever comes: the flow of whatsapp.bench.mjs. */
export const welcomeFlow: Flow = {
  ...emptyFlow(),
  groups: [
    {
      ...{ id: 'g', title: 'All', position: { x: 0, y: 0 } },
      blocks: [block('start', 'start', {}), block('hello', 'text', { content: plainRichText('Welcome') })],
    },
  ],
}
