import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { FigureName } from '../../../server/contracts/analytics'
import { ChartCard } from '../../charts/ChartCard'
import { HeatMap } from '../../charts/HeatMap'
import { formatNumber, formatShare, languageName } from '../../i18n/format'
import { Agents } from './Agents'
import styles from './analytics.module.css'
import { Funnel } from './Funnel'
import { Questions } from './Questions'
import { type ChartsProps, Shares } from './Shares'

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5)
const dayNames = (): string[] =>
  Array.from({ length: 7 }, (_, day) =>
    new Intl.DateTimeFormat(i18next.language, { weekday: 'short', timeZone: 'UTC' }).format(MONDAY + day * 86_400_000),
  )

/** What the conversations were about, where they came from, and how they ended. */
export function Charts({ detail, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  return (
    <div className={styles.charts}>
      <Outcomes detail={detail} onDrill={onDrill} />
      <Ratings detail={detail} onDrill={onDrill} />
      <Survey detail={detail} onDrill={onDrill} />
      <Answers detail={detail} onDrill={onDrill} />
      <Heat detail={detail} onDrill={onDrill} />
      {detail.agents.length > 0 && <Agents agents={detail.agents} onDrill={onDrill} />}
      <Questions kind="top" questions={detail.top_questions} onDrill={onDrill} />
      <Questions kind="unanswered" questions={detail.unanswered} onDrill={onDrill} />
      <Shares
        title={t('sources')}
        name={t('source')}
        value={t('questions.title')}
        rows={detail.sources.map(({ title, questions }) => ({
          ...{ id: title, name: title, value: questions },
          onOpen: () => onDrill({ figure: 'questions', source: title, about: title }),
        }))}
      />
      {detail.funnel.length > 0 && <Funnel detail={detail} onDrill={onDrill} />}
      <Shares
        title={t('pages')}
        name={t('page')}
        value={t('tiles.conversations')}
        rows={detail.pages.map(({ name, conversations }) => ({
          ...{ id: name, name, value: conversations },
          onOpen: () => onDrill({ figure: 'conversations', page: name }),
        }))}
      />
      <Shares
        title={t('languages')}
        name={t('language')}
        value={t('tiles.conversations')}
        whole={detail.now.conversations}
        rows={detail.languages.map(({ name, conversations }) => ({
          ...{ id: name, name: name ? languageName(name) : t('unknown'), value: conversations },
          onOpen: () => onDrill({ figure: 'conversations', language: name }),
        }))}
      />
      <Shares
        title={t('channels.title')}
        name={t('channel')}
        value={t('tiles.conversations')}
        whole={detail.now.conversations}
        rows={detail.channels.map(({ name, conversations }) => {
          const about = isChannel(name) ? t(`channels.${name}`) : name
          return {
            ...{ id: name, name: about, value: conversations },
            onOpen: () => onDrill({ figure: 'conversations', within: { channel: name }, about }),
          }
        })}
      />
      {detail.environments.length > 1 && (
        <Shares
          title={t('environments.title')}
          name={t('environment')}
          value={t('tiles.conversations')}
          whole={detail.now.conversations}
          rows={detail.environments.map(({ name, conversations }) => {
            const environment = name === 'sharing' ? 'sharing' : 'production'
            const about = t(`environments.${environment}`)
            return {
              ...{ id: name, name: about, value: conversations },
              onOpen: () => onDrill({ figure: 'conversations', within: { environment }, about }),
            }
          })}
        />
      )}
      {detail.chatbots.length > 0 && (
        <Shares
          title={t('chatbots')}
          name={t('chatbot')}
          value={t('tiles.conversations')}
          whole={detail.now.conversations}
          rows={detail.chatbots.map(({ gid, name, conversations }) => ({
            ...{ id: gid, name, value: conversations },
            onOpen: () => onDrill({ figure: 'conversations', within: { chatbot: gid }, about: name }),
          }))}
        />
      )}
    </div>
  )
}

/** Channels that have names; those of programs are called as these call them. */
const named = ['web', 'whatsapp', 'message_api'] as const
const isChannel = (name: string): name is (typeof named)[number] => (named as readonly string[]).includes(name)

const outcomes = ['resolved_bot', 'resolved_person', 'unresolved', 'silent'] as const

function Outcomes({ detail: { now }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const rows = outcomes.map((figure) => ({
    ...{ id: figure, name: t(`outcomes.${figure}`), value: now[figure], onOpen: () => onDrill({ figure }) },
  }))
  return (
    <Shares
      title={t('outcomes.title')}
      name={t('outcomes.outcome')}
      value={t('tiles.conversations')}
      rows={rows}
      whole={now.conversations}
    />
  )
}

const stars = [5, 4, 3, 2, 1] as const

function Ratings({ detail: { now }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const rows = stars.map((star) => {
    const figure = `rated_${star}` as const satisfies FigureName
    return { id: figure, name: t(`stars.${star}`), value: now[figure], onOpen: () => onDrill({ figure }) }
  })
  return (
    <Shares
      title={t('stars.title')}
      name={t('tiles.rating')}
      value={t('tiles.conversations')}
      rows={now.rated === 0 ? [] : rows}
      whole={now.rated}
    />
  )
}

const said = ['said_resolved', 'said_unresolved', 'commented'] as const

/** What visitors answered to the survey beside the rating. */
function Survey({ detail: { now }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const rows = said.map((figure) => ({
    ...{ id: figure, name: t(`survey.${figure}`), value: now[figure], onOpen: () => onDrill({ figure }) },
  }))
  return (
    <Shares
      title={t('survey.title')}
      name={t('survey.answer')}
      value={t('tiles.conversations')}
      rows={rows.some(({ value }) => value > 0) ? rows : []}
      whole={Math.max(1, now.said_resolved + now.said_unresolved)}
    />
  )
}

const answers = ['answered', 'unanswered', 'helpful', 'unhelpful'] as const

/** How many of the questions got an answer, and what visitors thought of the answers. */
function Answers({ detail: { now }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const counts = { ...now, unanswered: now.questions - now.answered }
  const rows = answers.map((figure) => ({
    ...{ id: figure, name: t(`answers.${figure}`), value: counts[figure], onOpen: () => onDrill({ figure }) },
  }))
  return (
    <Shares
      title={t('answers.title')}
      name={t('answers.answer')}
      value={t('answers.times')}
      rows={rows.some(({ value }) => value > 0) ? rows : []}
      whole={Math.max(1, now.questions)}
    />
  )
}

function Heat({ detail: { heat, now }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const counts = new Map(heat.map(({ weekday, hour, conversations }) => [`${weekday} ${hour}`, conversations]))
  const countAt = (weekday: number, hour: number) => counts.get(`${weekday} ${hour}`) ?? 0
  const days = dayNames()
  const open = (weekday: number, hour: number) =>
    onDrill({ figure: 'conversations', weekday, hour, about: t('heat.at', { day: days[weekday - 1], hour }) })
  return (
    <ChartCard
      title={t('heat.title')}
      svg
      wide
      table={{
        columns: [t('heat.day'), t('heat.hour'), t('tiles.conversations')],
        rows: heat.map(({ weekday, hour, conversations }) => [days[weekday - 1] ?? '', hour, conversations]),
        opens: heat.map(
          ({ weekday, hour }) =>
            () =>
              open(weekday, hour),
        ),
      }}
    >
      <HeatMap
        label={t('heat.title')}
        rows={days.map((name) => ({ id: name, name }))}
        countAt={(day, hour) => countAt(day + 1, hour)}
        titleOf={(day, hour) => {
          const value = countAt(day + 1, hour)
          const share = formatShare(value, now.conversations)
          return t('heat.cell', { day: days[day], hour, value: formatNumber(value), share })
        }}
        onOpen={(day, hour) => open(day + 1, hour)}
      />
    </ChartCard>
  )
}
