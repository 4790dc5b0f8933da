import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from './serverEvents'

const TEXT =
  ': still here\n\nevent: text\ndata: {"delta":"Grüße 👋"}\n\ndata:no space\r\n\r\nevent: answer\r\ndata: one\r\ndata: two\r\n\r\nevent: text\ndata: cut'

async function read(chunks: Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  await readEvents(body, (event) => events.push(event))
  return events
}

test.each([1, 2, 3, 7, 1_000])('events are read whole when the line brings %i bytes at a time', async (size) => {
  const bytes = new TextEncoder().encode(TEXT)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  )
  expect(await read(chunks)).toEqual([
    { event: 'text', data: '{"delta":"Grüße 👋"}' },
    { event: 'message', data: 'no space' },
    { event: 'answer', data: 'one\ntwo' },
  ])
})
