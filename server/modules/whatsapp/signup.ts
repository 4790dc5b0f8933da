import { z } from 'zod'
import type { SharedNumber } from '../../contracts/whatsappSignup'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { createSecrets } from '../../platform/secrets/secrets'
import { AnswerLost, type Graph } from './graph'
import { GraphError } from './graphError'

/** How long a person may take at Meta, and then to choose a number. */
const LIFETIME = 10 * 60_000
/** Accounts that one person shares at a time, and numbers of each. */
const MOST_ACCOUNTS = 20

/** Whose attempt it is, and of which chatbot. */
interface Attempt {
  project: { id: string; gid: string }
  /** the chatbot's public id */
  cgid: string
  userId: string
}

const begunSchema = z.strictObject({ user: z.string(), until: z.number() })
const grantSchema = begunSchema.extend({ token: z.string() })
const accessSchema = z.object({ access_token: z.string().min(1).max(1_000) })
const scopesSchema = z.object({
  data: z.object({
    granular_scopes: z
      .array(z.object({ scope: z.string(), target_ids: z.array(z.string()).catch([]) }))
      .max(100)
      .catch([]),
  }),
})
const numbersSchema = z.object({
  data: z
    .array(z.object({ id: z.string(), display_phone_number: z.string(), verified_name: z.string().catch('') }))
    .max(100)
    .catch([]),
})

/**
 * Embedded Signup, by redirect: a person consents at Meta that the app of this installation uses their number, and Meta
 * sends them back with a code for a token. Nothing is stored on the way: what has to come back is sealed, for the
 * person who began.
 */
export function createSignup({ config, clock }: Pick<ServerContext, 'config' | 'clock'>, graph: Graph) {
  const secrets = createSecrets(config)
  const placeOf = ({ project, cgid }: Attempt, what: 'state' | 'grant') => ({
    projectId: project.id,
    row: `whatsapp_signups/${cgid}/${what}`,
  })
  const callbackOf = () => `${config.publicUrl}/oauth/whatsapp/callback`
  const appOf = () => {
    const { signup } = config.vendors.whatsapp
    if (!signup)
      throw new ApiError('conflict', {
        message: 'This installation has no app at Meta. Whoever runs Parley can set one up.',
      })
    return signup
  }
  const until = () => clock().getTime() + LIFETIME

  function open<Schema extends z.ZodType<{ user: string; until: number }>>(
    attempt: Attempt,
    what: 'state' | 'grant',
    sealed: string,
    schema: Schema,
  ): z.output<Schema> {
    const text = secrets.open(sealed, placeOf(attempt, what))
    const known = text === null ? undefined : schema.safeParse(JSON.parse(text)).data
    if (!known || known.user !== attempt.userId || known.until <= clock().getTime())
      throw new ApiError('conflict', {
        message: 'This attempt to connect has ended, or was begun by somebody else. Please connect again.',
      })
    return known
  }

  /** What Meta says. @throws ApiError conflict, in Meta's words, where it refuses */
  const asked = <Result>(answer: Promise<Result>): Promise<Result> =>
    answer.catch((error: unknown) => {
      if (error instanceof GraphError || error instanceof AnswerLost)
        throw new ApiError('conflict', { message: `Meta did not let Parley in: ${error.message}` })
      throw error
    })

  return {
    isOffered: (): boolean => config.vendors.whatsapp.signup !== null,

    /** @returns the address of Meta's page. @throws ApiError conflict without an app */
    begin(attempt: Attempt): string {
      const { client, configuration } = appOf()
      const { dialogUrl, version } = config.vendors.whatsapp
      const sealed = secrets.seal(JSON.stringify({ user: attempt.userId, until: until() }), placeOf(attempt, 'state'))
      const query = new URLSearchParams({
        ...{ client_id: client.id, redirect_uri: callbackOf(), response_type: 'code', config_id: configuration },
        ...{ override_default_response_type: 'true', state: `${attempt.project.gid}.${attempt.cgid}.${sealed}` },
      })
      return `${dialogUrl}/${version}/dialog/oauth?${query}`
    },

    /** Exchanges the code, and finds what was shared. @throws ApiError conflict */
    async finish(
      attempt: Attempt,
      { state, code }: { state: string; code: string },
    ): Promise<{ grant: string; numbers: SharedNumber[] }> {
      const { client } = appOf()
      const [project, chatbot, ...sealed] = state.split('.')
      if (project !== attempt.project.gid || chatbot !== attempt.cgid) throw new ApiError('conflict')
      open(attempt, 'state', sealed.join('.'), begunSchema)
      const asApp = `${client.id}|${client.secret}`
      const exchange = new URLSearchParams({
        ...{ client_id: client.id, client_secret: client.secret, code, redirect_uri: callbackOf() },
      })
      const answer = await asked(graph.get(asApp, `oauth/access_token?${exchange}`))
      const token = accessSchema.safeParse(answer).data?.access_token
      if (token === undefined) throw new ApiError('conflict', { message: 'Meta gave no token. Please connect again.' })
      const scopes = await asked(graph.get(asApp, `debug_token?${new URLSearchParams({ input_token: token })}`))
      const granted = scopesSchema.safeParse(scopes).data?.data.granular_scopes ?? []
      const accounts = granted
        .filter(({ scope }) => scope === 'whatsapp_business_management')
        .flatMap(({ target_ids }) => target_ids)
        .filter((id) => /^\d{5,25}$/.test(id))
      const numbers: SharedNumber[] = []
      for (const business_id of [...new Set(accounts)].slice(0, MOST_ACCOUNTS)) {
        const path = `${business_id}/phone_numbers?fields=id,display_phone_number,verified_name`
        const found = numbersSchema.safeParse(await asked(graph.get(token, path))).data?.data ?? []
        for (const { id, display_phone_number, verified_name } of found)
          numbers.push({ business_id, number_id: id, phone_number: display_phone_number, name: verified_name })
      }
      if (numbers.length === 0)
        throw new ApiError('conflict', { message: 'You shared no number with Parley. Please connect again.' })
      const grant = JSON.stringify({ user: attempt.userId, until: until(), token })
      return { grant: secrets.seal(grant, placeOf(attempt, 'grant')), numbers }
    },

    /** What connects a number of a grant, beside its ids and the PIN. @throws ApiError conflict */
    keysOf(attempt: Attempt, grant: string): { app_id: string; app_secret: string; token: string } {
      const { client } = appOf()
      const { token } = open(attempt, 'grant', grant, grantSchema)
      return { app_id: client.id, app_secret: client.secret, token }
    },
  }
}
export type Signup = ReturnType<typeof createSignup>
