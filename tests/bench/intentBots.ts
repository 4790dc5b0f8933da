import { createJudge } from '../../engine/intents/createClassifier'
import type { Signs } from '../../engine/intents/judge'
import type { FindMeaning } from '../../engine/intents/meaning'
import { type IntentExamples, trainIntents } from '../../engine/intents/trainIntents'

/** The domains of CLINC150 and their intents, as the set (clinc/oos-eval, CC BY 3.0) has them. */
const DOMAINS = `
banking: freeze_account routing pin_change bill_due pay_bill account_blocked interest_rate min_payment bill_balance transfer order_checks balance spending_history transactions report_fraud
credit cards: replacement_card_duration expiration_date damaged_card improve_credit_score report_lost_card card_declined credit_limit_change apr redeem_rewards credit_limit rewards_balance application_status credit_score new_card international_fees
kitchen: food_last confirm_reservation how_busy ingredients_list calories nutrition_info recipe restaurant_reviews restaurant_reservation meal_suggestion restaurant_suggestion cancel_reservation ingredient_substitution cook_time accept_reservations
home: what_song play_music todo_list_update reminder reminder_update calendar_update order_status update_playlist shopping_list calendar next_song order todo_list shopping_list_update smart_home
driving: current_location oil_change_when oil_change_how uber traffic tire_pressure schedule_maintenance gas mpg distance directions last_maintenance gas_type tire_change jump_start
travel: plug_type travel_notification translate flight_status international_visa timezone exchange_rate travel_suggestion travel_alert vaccines lost_luggage book_flight book_hotel carry_on car_rental
utility: weather alarm date find_phone share_location timer make_call calculator definition measurement_conversion flip_coin spelling time roll_dice text
work: pto_request_status next_holiday insurance_change insurance meeting_schedule payday taxes income rollover_401k pto_balance pto_request w2 schedule_meeting direct_deposit pto_used
small talk: who_made_you meaning_of_life who_do_you_work_for do_you_have_pets what_are_your_hobbies fun_fact what_is_your_name where_are_you_from goodbye thank_you greeting tell_joke are_you_a_bot how_old_are_you what_can_i_ask_you
assistant: change_speed user_name whisper_mode yes change_volume no change_language repeat change_accent cancel sync_device change_user_name change_ai_name reset_settings maybe`
  .trim()
  .split('\n')
  .map((line) => (line.split(': ')[1] ?? '').split(' '))

/** Every second domain: what the weights were learnt on, and what they were not. */
export const halves = {
  learnt: DOMAINS.filter((_, at) => at % 2 === 0),
  heldOut: DOMAINS.filter((_, at) => at % 2 === 1),
}

/** A bot of some intents of a domain, and what else is asked there. */
export interface Bot {
  intents: IntentExamples[]
  own: [text: string, intent: string][]
  /** of other intents of the domain */
  near: string[]
  /** of no domain */
  far: string[]
}

interface Source {
  train: ReadonlyMap<string, readonly string[]>
  asked: ReadonlyMap<string, readonly string[]>
  far: readonly string[]
}

/** Intents of a bot and phrases of each. */
const SIZES = [
  [10, 10],
  [5, 10],
  [10, 5],
  [10, 20],
  [3, 8],
  [2, 4],
] as const

/** Bots of several sizes of each domain, chosen by chance with a seed. */
export function botsOf(domains: readonly string[][], { train, asked, far }: Source): Bot[] {
  const choose = chooser()
  return domains.flatMap((domain) =>
    SIZES.map(([size, phrases], shift) => {
      const known = choose(domain, size)
      const others = choose(
        domain.filter((name) => !known.includes(name)),
        5,
      )
      return {
        intents: known.map((blockId) => ({ blockId, phrases: evenly(train.get(blockId) ?? [], phrases, shift) })),
        own: known.flatMap((name) => (asked.get(name) ?? []).map((text): [string, string] => [text, name])),
        near: others.flatMap((name) => asked.get(name) ?? []),
        far: far.filter((_, at) => at % 5 === shift % 5),
      }
    }),
  )
}

/** So many of a list, evenly, since phrases that stand together were written by one person. */
export function evenly(all: readonly string[], count: number, shift: number): string[] {
  const every = Math.floor(all.length / count)
  return all.filter((_, at) => at % every === shift % every).slice(0, count)
}

/** What a bot made of a text: the best intent's signs; null: none was likelier than none. */
export interface Judged {
  kind: 'right' | 'wrong' | 'near' | 'far'
  signs: Signs | null
}

export function judged(bots: readonly Bot[], find: FindMeaning | null): Judged[] {
  return bots.flatMap(({ intents, own, near, far }) => {
    const judge = createJudge(trainIntents(intents, find), find)
    const best = (text: string) =>
      judge(text).reduce<ReturnType<typeof judge>[number] | null>(
        (most, one) => (most && most.signs.score >= one.signs.score ? most : one),
        null,
      )
    const strangers = (kind: 'near' | 'far', texts: readonly string[]): Judged[] =>
      texts.map((text) => ({ kind, signs: best(text)?.signs ?? null }))
    return [
      ...own.map(([text, intent]): Judged => {
        const found = best(text)
        return { kind: found?.blockId === intent ? 'right' : 'wrong', signs: found?.signs ?? null }
      }),
      ...strangers('near', near),
      ...strangers('far', far),
    ]
  })
}

const NAMES = ['margin', 'score', 'spoken', 'near'] as const
/** What each kind counts for in learning: half is what is right. */
const SHARES = { right: 0.5, near: 0.3, far: 0.1, wrong: 0.1 }

/** Learns the weights of signs by logistic regression, and the bar at which so many near strangers are accepted. */
export function learnWeights(all: readonly Judged[], acceptedNear = 0.09) {
  const rows = all.flatMap(({ kind, signs }) => (signs ? [{ kind, values: NAMES.map((name) => signs[name]) }] : []))
  const middle = NAMES.map((_, at) => rows.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / rows.length)
  const spread = NAMES.map(
    (_, at) =>
      Math.sqrt(
        rows.reduce((sum, { values }) => sum + ((values[at] ?? 0) - (middle[at] ?? 0)) ** 2, 0) / rows.length,
      ) || 1,
  )
  const points = rows.map(({ values }) => values.map((value, at) => (value - (middle[at] ?? 0)) / (spread[at] ?? 1)))
  const counts = Object.fromEntries(
    Object.keys(SHARES).map((kind) => [kind, rows.filter((row) => row.kind === kind).length]),
  )
  const weights = NAMES.map(() => 0)
  let bias = 0
  const sumOf = (point: number[]) => point.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias)
  for (let pass = 0; pass < 2_000; pass++) {
    const change = NAMES.map(() => 0)
    let shift = 0
    for (const [at, point] of points.entries()) {
      const { kind } = rows[at] as (typeof rows)[number]
      const error =
        (1 / (1 + Math.exp(-sumOf(point))) - (kind === 'right' ? 1 : 0)) * (SHARES[kind] / (counts[kind] ?? 1))
      for (const [of, value] of point.entries()) change[of] = (change[of] ?? 0) + error * value
      shift += error
    }
    for (const of of weights.keys())
      weights[of] = (weights[of] ?? 0) - 2 * ((change[of] ?? 0) + 1e-4 * (weights[of] ?? 0))
    bias -= 2 * shift
  }
  const plain = Object.fromEntries(NAMES.map((name, at) => [name, (weights[at] ?? 0) / (spread[at] ?? 1)]))
  const scoreOf = (signs: Signs | null) =>
    signs ? NAMES.reduce((sum, name) => sum + (plain[name] ?? 0) * signs[name], 0) : Number.NEGATIVE_INFINITY
  const near = all.flatMap(({ kind, signs }) => (kind === 'near' ? [scoreOf(signs)] : [])).sort((a, b) => b - a)
  const threshold = near[Math.floor(near.length * acceptedNear)] ?? 0
  return { ...plain, bar: Math.log(0.7 / 0.3) - threshold }
}

/** Reproducible choices. */
function chooser(): (all: readonly string[], count: number) => string[] {
  let state = 7
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return (all, count) =>
    all
      .map((name) => ({ name, place: draw() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, count)
      .map(({ name }) => name)
}
