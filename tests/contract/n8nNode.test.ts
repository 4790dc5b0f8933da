import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { webhookEvents } from '../../server/contracts/webhookEvents'

/** The community node for n8n, in the shape that n8n's documentation of such packages asks for. */
const folder = join(import.meta.dirname, '../../docs/n8n-nodes-parley')
const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const load = createRequire(join(folder, 'package.json'))

test('the package names its nodes and credentials, as n8n looks for them', () => {
  expect(about.name).toMatch(/^n8n-nodes-/)
  expect(about.keywords).toContain('n8n-community-node-package')
  expect(about.n8n.n8nNodesApiVersion).toBe(1)
  for (const path of [...about.n8n.nodes, ...about.n8n.credentials]) {
    const name = /([^/]+)\.(?:node|credentials)\.js$/.exec(path)?.[1] ?? ''
    const made = new (load(`./${path}`)[name])()
    const described = made.description ?? made
    expect(described).toMatchObject({ displayName: expect.any(String), name: expect.stringMatching(/^parley/) })
    for (const property of described.properties)
      expect(property).toMatchObject({
        displayName: expect.any(String),
        name: expect.any(String),
        type: expect.any(String),
      })
  }
})

test('the trigger offers every event, and takes signed messages alone', () => {
  const { ParleyTrigger, isSigned } = load('./nodes/ParleyTrigger/ParleyTrigger.node.js')
  const { description, webhookMethods } = new ParleyTrigger()
  expect(description).toMatchObject({ group: ['trigger'], inputs: [], outputs: ['main'] })
  expect(description.properties[0].options.map(({ value }: { value: string }) => value)).toEqual([...webhookEvents])
  expect(Object.keys(webhookMethods.default)).toEqual(['checkExists', 'create', 'delete'])
  const key = Buffer.alloc(32, 7)
  const body = Buffer.from('{"a":1}')
  const signature = `v1,${createHmac('sha256', key).update(`msg_1.1000.${body}`).digest('base64')}`
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1000', 'webhook-signature': `v1,x ${signature}` }
  const secret = `whsec_${key.toString('base64')}`
  expect(isSigned(secret, headers, body, 1_100)).toBe(true)
  expect(isSigned(secret, headers, body, 2_000)).toBe(false)
  expect(isSigned(secret, headers, Buffer.from('{"a":2}'), 1_100)).toBe(false)
  expect(isSigned(undefined, headers, body, 1_100)).toBe(false)
})
