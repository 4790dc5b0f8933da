import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

const inProject = z.strictObject({ pgid: gid })

/**
 * Gives a project a sample: a chatbot with conversations and contacts. They are marked, and count in no meter.
 * `conflict` where it has one.
 */
export const addSamples = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/samples',
  access: { feature: 'project.update' },
  load: 'draft',
  params: inProject,
  answer: z.strictObject({ chatbot: gid }),
})

/** Takes a project's samples away, with all that became of them; without any, nothing happens. */
export const removeSamples = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/samples',
  access: { feature: 'project.update' },
  params: inProject,
  answer: ok,
})
