import { useTranslation } from 'react-i18next'
import type { AgentFigureName, AgentFigures } from '../../../server/contracts/analytics'
import type { Drilled } from '../../api/analytics'
import { averageOf, durationOf, NONE } from '../../charts/averages'
import { ChartCard } from '../../charts/ChartCard'
import { HeatMap } from '../../charts/HeatMap'
import { formatNumber } from '../../i18n/format'
import styles from './analytics.module.css'

interface AgentsProps {
  agents: readonly AgentFigures[]
  onDrill: (drilled: Drilled) => void
}

interface Column {
  name: string
  text: (agent: AgentFigures) => string
  /** what it counts: none for averages */
  figure?: AgentFigureName
  count?: (agent: AgentFigures) => number
}

/** The most rows of the drawing: the table has all. */
const DRAWN = 15

/** What people had to do: each person's conversations, how soon they were answered and closed, and at what hours. */
export function Agents({ agents, onDrill }: AgentsProps) {
  const { t } = useTranslation('analytics')
  const columns: Column[] = [
    counted('taken', t('agents.taken'), (agent) => agent.taken),
    counted('replied', t('agents.replied'), (agent) => agent.replied),
    counted('closed', t('agents.closed'), (agent) => agent.closed),
    {
      name: t('agents.firstAnswer'),
      text: (agent) => durationOf(averageOf(agent.first_answer_seconds, agent.first_answers), t),
      ...{ figure: 'agent_first_answers', count: (agent) => agent.first_answers },
    },
    {
      name: t('agents.timeToClose'),
      text: (agent) => durationOf(averageOf(agent.closed_seconds, agent.closed), t),
      ...{ figure: 'agent_closed', count: (agent) => agent.closed },
    },
    {
      name: t('agents.messages'),
      text: (agent) => formatNumber(agent.messages),
      ...{ figure: 'agent_replied', count: (agent) => agent.replied },
    },
    {
      name: t('tiles.rating'),
      text: (agent) => ratingOf(agent),
      ...{ figure: 'agent_rated', count: (agent) => agent.rated },
    },
    counted('open', t('agents.open'), (agent) => agent.open),
  ]
  const rows = agents.map((agent) => [agent.name, ...columns.map(({ text }) => text(agent))])
  return (
    <>
      <ChartCard
        title={t('agents.title')}
        wide
        isTable
        table={{ columns: [t('agents.person'), ...columns.map(({ name }) => name)], rows }}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, by keys too */}
        <section className={styles.agents} aria-label={t('agents.title')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {[t('agents.person'), ...columns.map(({ name }) => name)].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {agents.map((agent) => (
                <tr key={agent.gid}>
                  <th scope="row">{agent.name}</th>
                  {columns.map(({ name, text, figure, count }) => (
                    <td key={name}>
                      {figure && count && count(agent) > 0 ? (
                        <button
                          type="button"
                          aria-label={t('agents.show', { person: agent.name, figure: name, value: text(agent) })}
                          onClick={() => onDrill({ figure, agent: { gid: agent.gid, name: agent.name } })}
                        >
                          {text(agent)}
                        </button>
                      ) : (
                        text(agent)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </ChartCard>
      <AgentHours agents={agents} onDrill={onDrill} />
    </>
  )
}

const counted = (name: 'taken' | 'replied' | 'closed' | 'open', title: string, count: Column['count'] & object) =>
  ({ name: title, figure: `agent_${name}`, count, text: (agent) => formatNumber(count(agent)) }) satisfies Column

const ratingOf = ({ rating_sum, rated }: AgentFigures): string => {
  const average = averageOf(rating_sum, rated)
  return average === null ? NONE : formatNumber(Math.round(average * 10) / 10)
}

/** At which hours people answered. */
function AgentHours({ agents, onDrill }: AgentsProps) {
  const { t } = useTranslation('analytics')
  const wrote = agents.filter(({ hours }) => hours.some((messages) => messages > 0))
  const drawn = wrote.slice(0, DRAWN)
  /** The conversations in which somebody wrote at that hour: the figure counts messages. */
  const open = ({ gid, name, hours }: AgentFigures, hour: number) => {
    onDrill({
      ...{ figure: 'agent_sent', agent: { gid, name }, hour },
      about: t('agents.cell', { person: name, hour, value: t('drill.messages', { count: hours[hour] ?? 0 }) }),
    })
  }
  return (
    <ChartCard
      title={t('agents.hours')}
      svg
      wide
      table={{
        columns: [t('agents.person'), t('heat.hour'), t('agents.messages')],
        rows: wrote.flatMap(({ name, hours }) =>
          hours.flatMap((messages, hour) => (messages > 0 ? [[name, hour, messages]] : [])),
        ),
        opens: wrote.flatMap((agent) =>
          agent.hours.flatMap((messages, hour) => (messages > 0 ? [() => open(agent, hour)] : [])),
        ),
      }}
    >
      <HeatMap
        label={t('agents.hours')}
        rows={drawn.map(({ gid, name }) => ({ id: gid, name }))}
        names={112}
        countAt={(row, hour) => drawn[row]?.hours[hour] ?? 0}
        titleOf={(row, hour) => {
          const agent = drawn[row]
          return t('agents.cell', { person: agent?.name, hour, value: formatNumber(agent?.hours[hour] ?? 0) })
        }}
        onOpen={(row, hour) => {
          const agent = drawn[row]
          if (agent) open(agent, hour)
        }}
      />
    </ChartCard>
  )
}
