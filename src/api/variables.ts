import i18next from 'i18next'
import type { z } from 'zod'
import { deleteVariable, saveVariable } from '../../server/contracts/variables'
import { callRoute } from './client'
import { ApiFailure } from './failure'

interface Place {
  pgid: string
  cgid: string
  fid: string
}
type Saved = z.infer<typeof saveVariable.answer>['variable']

/**
 * The routes of SPEC.md 7 about variables, for use without an open flow (the builder edits the live draft instead).
 * They throw ApiFailure with the texts of SPEC.md 8.
 */
export async function createVariable(place: Place, name: string): Promise<Saved> {
  const text = i18next.t('variables:errors.creating')
  const answer = await callRoute(saveVariable, {
    body: { ...place, name, type: 'new' },
    handleUnauthenticated: false,
  }).catch((error) => rethrow(error, text))
  if (!answer?.variable) throw new ApiFailure(i18next.t('variables:errors.createFailed'))
  return answer.variable
}

export async function renameVariable(place: Place, vid: string, name: string): Promise<Saved> {
  const text = i18next.t('variables:errors.saving')
  const { variable } = await callRoute(saveVariable, {
    body: { ...place, name, type: 'update', vid },
    handleUnauthenticated: false,
  }).catch((error) => rethrow(error, text))
  return variable
}

export async function removeVariable(place: Place, vid: string) {
  const text = i18next.t('variables:errors.deleting')
  return callRoute(deleteVariable, { body: { ...place, vid }, handleUnauthenticated: false }).catch((error) =>
    rethrow(error, text),
  )
}

const TOO_MANY = 'Too Many Attempts.'

/** The server's own message about the name is kept; other errors get SPEC.md 8's text. */
function rethrow(error: unknown, text: string): never {
  if (!(error instanceof ApiFailure)) throw new ApiFailure(text, { cause: error })
  const { status, code } = error
  if (status === 401) throw new ApiFailure(i18next.t('variables:errors.unauthenticated'), { status, code })
  if (status === 429 || error.message === TOO_MANY) throw new ApiFailure(i18next.t('errors.tooMany'), { status, code })
  if (status === 422) throw error
  if (status === 200) {
    const said = error.message !== i18next.t('errors.message')
    throw new ApiFailure(said ? error.message : i18next.t('variables:errors.unknown'), { status, code })
  }
  throw new ApiFailure(text, { status, code, cause: error })
}
