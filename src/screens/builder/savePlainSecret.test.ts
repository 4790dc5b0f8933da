import { expect, test } from 'vitest'
import { httpRequestDefaults } from '../../../blocks/http-request/schema'
import { registry } from '../../../blocks/registry'
import { checkFlow } from '../../../engine/check/createChecker'
import { createDocument } from '../../../engine/document/createDocument'
import { emptyFlow } from '../../../engine/flow/schema'
import { staticValue } from '../../../engine/values/dynamicValue'
import type { Json } from '../../../engine/values/json'
import { savePlainSecret } from './savePlainSecret'

const pair = (id: string, name: string, value: string) => ({ id, name: staticValue(name), value: staticValue(value) })

function requestWith(headers: ReturnType<typeof pair>[]) {
  const document = createDocument({ registry })
  const data = { ...httpRequestDefaults(), url: staticValue('https://a.example/'), headers }
  const request = { id: 'c', kind: 'http-request', version: 0, data: JSON.parse(JSON.stringify(data)) }
  document.commands.replaceFlow({
    ...emptyFlow(),
    groups: [{ id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [request] }],
  })
  document.undo.clear()
  const told = () => checkFlow(document.toFlow(), registry).filter(({ code }) => code === 'plain-secret')
  const valuesNow = () => {
    const now = document.projection().blocks.get('c')?.data.headers as { value: Json }[]
    return now.map(({ value }) => value)
  }
  return { document, told, valuesNow }
}

test('what stands in plain text is kept as a secret, with its chip wherever it stood, in one step of undo', async () => {
  const { document, told, valuesNow } = requestWith([
    pair('a', 'Authorization', 'Bearer s3cret'),
    pair('b', 'Accept', 'text/html'),
    pair('c', 'X-Api-Key', 's3cret'),
    pair('d', 'X-Token', 'another'),
  ])
  const kept: unknown[] = []
  const [first] = told()
  expect(first?.remedy?.code).toBe('save-secret')
  await savePlainSecret({ document, registry }, first?.remedy?.plain ?? { blockId: '', path: '' }, async (secret) => {
    kept.push(secret)
    return 'API_TOKEN'
  })
  expect(kept).toEqual([{ like: 'API_TOKEN', value: 's3cret' }])
  const chip = { type: 'variable', variable_id: 'secret_API_TOKEN' }
  expect(valuesNow()).toEqual([
    { type: 'dynamic', parts: [{ type: 'text', text: 'Bearer ' }, chip] },
    staticValue('text/html'),
    { type: 'dynamic', parts: [chip] },
    staticValue('another'),
  ])
  expect(told().map(({ place }) => place.path)).toEqual(['headers.3.value'])
  document.undo.undo()
  expect(told()).toHaveLength(3)
})

test('rows that moved while it was kept are found, and a refusal changes nothing', async () => {
  const { document, valuesNow } = requestWith([pair('a', 'Accept', 'text/html'), pair('b', 'X-Api-Key', 's3cret')])
  const at = { blockId: 'c', path: 'headers.1.value' }
  const refused = savePlainSecret({ document, registry }, at, () => Promise.reject(new Error('Full')))
  await expect(refused).rejects.toThrow('Full')
  expect(valuesNow()[1]).toEqual(staticValue('s3cret'))
  await savePlainSecret({ document, registry }, at, async () => {
    const data = document.projection().blocks.get('c')?.data ?? {}
    document.commands.setBlockData('c', { ...data, headers: (data.headers as Json[]).slice(1) })
    return 'KEY'
  })
  expect(valuesNow()).toEqual([{ type: 'dynamic', parts: [{ type: 'variable', variable_id: 'secret_KEY' }] }])
})
