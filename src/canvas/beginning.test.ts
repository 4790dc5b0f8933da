import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { readTemplates } from '../../server/modules/templates/readTemplates'
import { beginningOf } from './beginning'
import { sceneOf } from './scene'

const templates = await readTemplates(registry)

test.each(templates.map(({ slug, flows }) => [slug, flows.main] as const))(
  'a flow opens where its Start is: %s',
  (_, flow) => {
    const document = createDocument({ registry })
    document.commands.replaceFlow(flow)
    const starts = flow.groups.filter(({ blocks }) => blocks.some(({ kind }) => kind === 'start')).map(({ id }) => id)
    expect(starts).toContain(beginningOf(sceneOf({ document, registry }), registry))
    document.destroy()
  },
)
