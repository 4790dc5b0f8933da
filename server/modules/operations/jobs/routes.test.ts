import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../../../../tests/support/clock'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { dismissJob, listFailedJobs, retryJob } from '../../../contracts/jobs'
import { backgroundRetries } from '../../../platform/backoff'
import { defineJob } from '../../../platform/jobs/defineJob'

const clock = createTestClock()
const errand = defineJob('errand', z.string())
let server: TestServer
let ada: Registered
let works = false
const done: unknown[] = []
beforeAll(async () => {
  server = await startTestServer({ clock })
  ada = await server.register()
  const carriedOut = errand.handledBy(async (payload) => {
    if (!works) throw new Error('the shop is closed')
    done.push(payload)
    return undefined
  })
  server.context.jobs.handle(carriedOut)
})
afterAll(() => server.close())

const list = async (person = ada) => (await person.call(listFailedJobs, { params: { pgid: person.pgid } })).jobs

/** A job of Ada's project that failed ten times. */
async function giveUp(payload: string): Promise<void> {
  const { db } = server.context
  const project = await db.selectFrom('projects').select('id').where('gid', '=', ada.pgid).executeTakeFirstOrThrow()
  const jobs = server.context.jobs
  await jobs.schedule(db, errand, { payload, runAt: clock(), projectId: project.id })
  for (let attempt = 1; attempt <= 10; attempt++) {
    expect(await list()).toHaveLength(0)
    await jobs.runDue()
    clock.pass(backgroundRetries.waitAfter(attempt) / 1_000)
  }
}

test('a job that was given up is listed with its reason, tried again, or dismissed', async () => {
  await giveUp('buy tea')
  const [job] = await list()
  expect(job).toMatchObject({ kind: 'errand', attempts: 10, error: 'the shop is closed' })
  const params = { pgid: ada.pgid, job: job?.id ?? '' }
  works = true
  await ada.call(retryJob, { params })
  await server.context.jobs.runDue()
  expect(done).toEqual(['buy tea'])
  expect(await list()).toEqual([])
  expect((await ada.send('POST', `/api/projects/${ada.pgid}/failed-jobs/${params.job}/retry`, {})).status).toBe(404)

  works = false
  await giveUp('buy milk')
  const bob = await server.register()
  expect(await list(bob)).toEqual([])
  const [second] = await list()
  const path = (pgid: string) => `/api/projects/${pgid}/failed-jobs/${second?.id}`
  expect((await bob.send('DELETE', path(bob.pgid), {})).status).toBe(404)
  await ada.call(dismissJob, { params: { pgid: ada.pgid, job: second?.id ?? '' } })
  expect(await list()).toEqual([])
})

test('what is looked after again and again begins anew at the next start after it was given up', async () => {
  const { db } = server.context
  const jobs = server.context.jobs
  const sweep = { key: 'sweep', payload: 'sweep', runAt: clock(), projectId: null, keep: true }
  await jobs.schedule(db, errand, sweep)
  await db.updateTable('jobs').set({ failed_at: clock(), attempts: 10 }).where('key', '=', 'sweep').execute()
  works = true
  await jobs.schedule(db, errand, sweep)
  await jobs.runDue()
  expect(done).toContain('sweep')
})
