import { Ban, Merge, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  type ConversationChange,
  type InboxConversation,
  type InboxSetup,
  priorities,
} from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { SurveyAnswerView } from '../../chatbots/SurveyAnswerView'
import { formatMoment, languageName } from '../../i18n/format'
import { Avatar } from '../../ui/Avatar'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { MultiSelect } from '../../ui/MultiSelect'
import { Select } from '../../ui/Select'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { LabelChip } from './LabelDot'
import { MergedList } from './merge/MergedList'
import { colorOf, visitorName } from './names'
import { PersonFace, PersonOption } from './PersonFace'
import { useChanges } from './useChanges'

interface DetailsPaneProps {
  conversation: InboxConversation
  setup: InboxSetup
  /** on a small screen, where it takes the conversation's place */
  isShown: boolean
  onClose: () => void
  onMerge: () => void
}

/** Who the visitor is, who has the conversation, and what it is about. */
export function DetailsPane({ conversation, setup, isShown, onClose, onMerge }: DetailsPaneProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const mayChange = useCan('conversations.update')
  const changes = useChanges(pgid)
  const { gid, contact, labels, hand_off: handOff, survey, others, chatbot } = conversation
  const act = (change: ConversationChange) => changes.mutate({ conversations: [gid], change })
  const name = visitorName(conversation, t)
  const email = contact?.email ?? handOff?.email
  return (
    <aside className={styles.details} aria-label={t('details.label')} data-shown={isShown || undefined}>
      <header className={styles.detailsHead}>
        <Avatar name={name} color={colorOf(gid)} size={40} />
        <div>
          <h2>{name}</h2>
          <p>{chatbot.name}</p>
        </div>
        <span className={styles.detailsClose}>
          <IconButton label={t('details.close')} icon={<X size={16} />} onClick={onClose} />
        </span>
      </header>
      <dl className={styles.facts}>
        {email && (
          <Fact name={t('details.email')}>
            <a href={`mailto:${email}`} aria-label={t('details.answerByMail', { email })}>
              {/* a narrow pane breaks it here first */}
              {email.slice(0, email.indexOf('@'))}
              <wbr />
              {email.slice(email.indexOf('@'))}
            </a>
          </Fact>
        )}
        {contact?.phone && <Fact name={t('details.phone')}>{contact.phone}</Fact>}
        {conversation.language && <Fact name={t('filters.language')}>{languageName(conversation.language)}</Fact>}
        <Fact name={t('filters.channel')}>
          {isNamed(conversation.channel) ? t(`channels.${conversation.channel}`) : conversation.channel}
        </Fact>
        {/* where on the web; other channels have one place */}
        {conversation.channel === 'web' && (
          <Fact name={t('filters.environment')}>{t(`environments.${conversation.environment}`)}</Fact>
        )}
        <Fact name={t('details.started')}>{formatMoment(conversation.started_at)}</Fact>
      </dl>
      <Part title={t('details.sorted')}>
        <div className={styles.fields}>
          <Select
            label={t('details.assignee')}
            placeholder={t('nobody')}
            data={setup.members.map(({ gid: value, name: label }) => ({ value, label }))}
            leftSection={conversation.assignee && <PersonFace person={conversation.assignee} />}
            renderOption={({ option }) => (
              <PersonOption person={setup.members.find(({ gid }) => gid === option.value)} />
            )}
            value={conversation.assignee?.gid ?? null}
            clearable
            disabled={!mayChange}
            onChange={(assignee) => act({ assignee })}
          />
          {setup.teams.length > 0 && (
            <Select
              label={t('details.team')}
              placeholder={t('nobody')}
              data={setup.teams.map(({ gid: value, name: label }) => ({ value, label }))}
              value={conversation.team?.gid ?? null}
              clearable
              disabled={!mayChange}
              onChange={(team) => act({ team })}
            />
          )}
          <Select
            label={t('details.priority')}
            data={priorities.map((level) => ({ value: String(level), label: t(`priority.${level}`) }))}
            value={String(conversation.priority)}
            allowDeselect={false}
            disabled={!mayChange}
            onChange={(value) => act({ priority: priorities.find((level) => String(level) === value) ?? 0 })}
          />
          {mayChange && setup.labels.length > 0 ? (
            <MultiSelect
              label={t('labels')}
              data={setup.labels.map(({ gid: value, name: label }) => ({ value, label }))}
              value={labels}
              onChange={(next) =>
                act({
                  add_labels: next.filter((one) => !labels.includes(one)),
                  remove_labels: labels.filter((one) => !next.includes(one)),
                })
              }
            />
          ) : (
            <p className={styles.chips}>
              {setup.labels
                .filter((label) => labels.includes(label.gid))
                .map((label) => (
                  <LabelChip key={label.gid} label={label} />
                ))}
            </p>
          )}
        </div>
      </Part>
      {handOff && (
        <Part title={handOff.team ? t('details.handedTo', { team: handOff.team }) : t('details.handedOver')}>
          <p className={styles.muted}>{formatMoment(handOff.at)}</p>
          {handOff.note && <p>{handOff.note}</p>}
        </Part>
      )}
      {survey && (
        <Part title={t('details.survey')}>
          <SurveyAnswerView answer={survey} />
        </Part>
      )}
      {others.length > 0 && (
        <Part title={t('details.others')}>
          <ul className={styles.others}>
            {others.map((other) => (
              <li key={other.gid}>
                <Link to={`/projects/${pgid}/chatbots/${chatbot.gid}/conversations/${other.gid}`}>
                  {formatMoment(other.at)}
                </Link>{' '}
                <span className={styles.muted}>{t(`status.${other.status}`)}</span>
              </li>
            ))}
          </ul>
          {mayChange && (
            <Button size="s" icon={<Merge size={14} />} onClick={onMerge}>
              {t('merge.open')}
            </Button>
          )}
        </Part>
      )}
      {conversation.merged.length > 0 && (
        <Part title={t('merge.merged')}>
          <MergedList conversation={conversation} />
        </Part>
      )}
      {mayChange && conversation.blockable && (
        <Button
          size="s"
          design={conversation.blocked ? 'secondary' : 'ghost'}
          icon={<Ban size={14} />}
          loading={changes.isPending}
          onClick={() => act({ blocked: !conversation.blocked })}
        >
          {t(conversation.blocked ? 'details.unblock' : 'details.block')}
        </Button>
      )}
    </aside>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

const named = ['web', 'whatsapp', 'message_api'] as const
const isNamed = (channel: string): channel is (typeof named)[number] => (named as readonly string[]).includes(channel)
