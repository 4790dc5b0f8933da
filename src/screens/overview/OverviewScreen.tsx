import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleAlert, CircleCheck, CircleDashed, ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { languageName } from '../../../engine/values/languages'
import type { Overview } from '../../../server/contracts/web'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useShareLink } from '../../api/shareLink'
import { overviewQuery } from '../../api/webSettings'
import { RecentFigures } from '../../charts/recentFiguresLater'
import { formatDate, formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import styles from './overview.module.css'

/**
 * /projects/:pgid/chatbots/:cgid/settings/overview: everything of a chatbot at a glance, with what is missing before it
 * can go live.
 */
export function OverviewScreen() {
  const { t } = useTranslation('overview')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data, error, refetch } = useQuery(overviewQuery({ pgid, cgid }))
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <SettingsStack>
          <State overview={data} />
          <RecentFigures pgid={pgid} chatbot={cgid} />
          <Steps overview={data} />
          <Settings overview={data} />
        </SettingsStack>
      ) : (
        <LoadingState rows={6} height={56} />
      )}
    </>
  )
}

const isLive = ({ published, visibility, open }: Overview): boolean =>
  published !== null && visibility !== 'off' && open

/** Whether visitors can talk to it now, in one sentence. */
function State({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { published, visibility, open, changes_at: changes, share } = overview
  const link = useShareLink(share)
  const why = !published ? 'unpublished' : visibility === 'off' ? 'off' : open ? null : 'closed'
  return (
    <Card
      title={t(why === null ? 'state.live' : 'state.notLive')}
      description={
        why === null
          ? t('state.liveHint')
          : t(why === 'closed' && changes ? 'state.closedUntil' : `state.${why}`, {
              when: changes ? formatMoment(changes) : '',
            })
      }
      actions={
        isLive(overview) ? (
          <a className={styles.visit} href={link} target="_blank" rel="noreferrer">
            {t('state.visit')} <ExternalLink size={13} />
          </a>
        ) : (
          <Badge dot tone="warning">
            {t('state.badge')}
          </Badge>
        )
      }
    />
  )
}

type Level = 'done' | 'missing' | 'optional'
interface Step {
  name: 'published' | 'sources' | 'details' | 'look' | 'visible' | 'embedded'
  level: Level
  to: string
  hint: string
}

/** What there is to do before it goes live, what is missing first. */
function Steps({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { published, draft_changed: changed, setup, look_published_at: look, embedded, visibility } = overview
  const version1 = useAccount().user.chatbot?.version === 1
  const level = (done: boolean, otherwise: Level = 'missing'): Level => (done ? 'done' : otherwise)
  const steps: Step[] = [
    {
      name: 'published',
      level: level(published !== null),
      // its flow is published when it is made
      to: version1 ? 'playground' : 'builder',
      hint: published
        ? t(changed ? 'steps.publishedChanged' : 'steps.publishedAt', {
            version: published.version,
            at: formatDate(published.at),
          })
        : t('steps.publishedHint'),
    },
    {
      name: 'visible',
      level: level(visibility !== 'off'),
      to: 'settings/visibility',
      hint: t(`steps.visible_${visibility}`),
    },
    { name: 'sources', level: level(setup.sources, 'optional'), to: 'data-sources', hint: t('steps.sourcesHint') },
    { name: 'details', level: level(setup.details, 'optional'), to: 'settings/general', hint: t('steps.detailsHint') },
    {
      name: 'look',
      level: level(look !== null, 'optional'),
      to: 'editor',
      hint: look ? t('steps.lookAt', { at: formatDate(look) }) : t('steps.lookHint'),
    },
    {
      name: 'embedded',
      level: level(embedded, 'optional'),
      to: 'integrations/embed',
      hint: t(embedded ? 'steps.embeddedDone' : 'steps.embeddedHint'),
    },
  ]
  const missing = steps.filter((step) => step.level !== 'done').length
  return (
    <Card
      title={t('steps.title')}
      description={missing === 0 ? t('steps.all') : t('steps.left', { count: missing })}
      flush
    >
      <ul className={styles.rows}>
        {steps.map(({ name, level, to, hint }) => (
          <Row key={name} to={to} title={t(`steps.${name}`)} hint={hint} level={level} />
        ))}
      </ul>
    </Card>
  )
}

/** How it is set up for visitors, each with its screen. */
function Settings({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview')
  const { schedule, open, changes_at: changes, share, embed, survey, time_zone: zone } = overview
  const { language, own_texts: owned } = overview
  const when = changes ? formatMoment(changes) : ''
  const hours = !schedule
    ? t('settings.always')
    : t(
        open
          ? changes
            ? 'settings.openUntil'
            : 'settings.open'
          : changes
            ? 'settings.closedUntil'
            : 'settings.closed',
        {
          when,
          zone,
        },
      )
  const access = share.auth_enabled ? 'members' : share.password ? 'password' : 'everyone'
  return (
    <Card title={t('settings.title')} flush>
      <ul className={styles.rows}>
        <Row to="settings/visibility" title={t('settings.hours')} hint={hours} />
        <Row
          to="settings/visibility"
          title={t('settings.limits')}
          hint={t(overview.limited ? 'settings.limited' : 'settings.notLimited')}
        />
        <Row
          to="integrations/share"
          title={t('settings.share')}
          hint={t(`settings.${access}`, { address: `/c/${share.slug}` })}
        />
        <Row
          to="integrations/embed"
          title={t('settings.embed')}
          hint={
            embed.enabled
              ? embed.domains === 0
                ? t('settings.anyDomain')
                : t('settings.domains', { count: embed.domains })
              : t('settings.embedOff')
          }
        />
        <Row to="settings/domain" title={t('settings.domain')} hint={share.domain ?? t('settings.noDomain')} />
        <Row
          to="settings/language"
          title={t('settings.language')}
          hint={[
            language === 'auto' ? t('settings.auto') : languageName(language),
            ...(owned > 0 ? [t('settings.ownTexts', { count: owned })] : []),
          ].join(', ')}
        />
        <Row to="settings/survey" title={t('settings.survey')} hint={t(survey ? 'settings.on' : 'settings.off')} />
        <Row
          to="settings/answers-by-mail"
          title={t('settings.byMail')}
          hint={t(overview.answers_by_mail ? 'settings.on' : 'settings.off')}
        />
      </ul>
    </Card>
  )
}

const ICONS = { done: CircleCheck, missing: CircleAlert, optional: CircleDashed }

function Row({ to, title, hint, level }: { to: string; title: string; hint: string; level?: Level }) {
  const { t } = useTranslation('overview')
  const { pgid, cgid } = useParams()
  const Icon = level && ICONS[level]
  return (
    <li>
      <Link className={styles.row} to={`/projects/${pgid}/chatbots/${cgid}/${to}`}>
        {Icon && level && (
          <Icon size={18} className={styles.icon} data-level={level} aria-label={t(`levels.${level}`)} />
        )}
        <span className={styles.words}>
          <span className={styles.name}>{title}</span>
          <span className={styles.hint}>{hint}</span>
        </span>
        <ChevronRight size={16} className={styles.go} aria-hidden="true" />
      </Link>
    </li>
  )
}
