import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AdminPerson } from '../../../server/contracts/admin'
import { peopleQuery, useAdminChanges } from '../../api/admin'
import { failureText } from '../../api/failure'
import { formatList, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import styles from './admin.module.css'
import { Loaded } from './Loaded'
import { ReasonDialog } from './ReasonDialog'
import { SearchField, useSearch } from './SearchField'

type Asking = { what: 'suspend' | 'view' | 'twoFactor'; person: AdminPerson }

/** Everybody who has an account; a suspension, and their screens as they see them. */
export function PeopleTab() {
  const { t } = useTranslation('admin')
  const { search, ...field } = useSearch()
  const query = useQuery({ ...peopleQuery(search), placeholderData: keepPreviousData })
  const [asking, setAsking] = useState<Asking | null>(null)
  return (
    <div className={styles.list}>
      <SearchField label={t('people.search')} {...field} />
      <Loaded query={query}>
        {({ people, more }) => (
          <>
            <Card title={t('people.title')} description={people.length === 0 ? t('people.none') : undefined} flush>
              {people.length > 0 && (
                <ul className={styles.rows} aria-label={t('people.title')}>
                  {people.map((person) => (
                    <Row key={person.gid} person={person} onAsk={(what) => setAsking({ what, person })} />
                  ))}
                </ul>
              )}
            </Card>
            {more && <p className={styles.faint}>{t('projects.more')}</p>}
          </>
        )}
      </Loaded>
      {asking && <AskWhy {...asking} onClose={() => setAsking(null)} />}
    </div>
  )
}

function AskWhy({ what, person: { gid, name }, onClose }: Asking & { onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { suspendPerson, turnOffTwoFactor, view } = useAdminChanges()
  const done = (text: string) => () => {
    notify.success(text)
    onClose()
  }
  if (what === 'twoFactor')
    return (
      <ReasonDialog
        danger
        title={t('suspend.twoFactor', { name })}
        message={t('suspend.twoFactorHint')}
        confirm={t('suspend.confirmTwoFactor')}
        action={{
          ...turnOffTwoFactor,
          run: (why) =>
            turnOffTwoFactor.mutate({ gid, why }, { onSuccess: done(t('suspend.twoFactorDone', { name })) }),
        }}
        onClose={onClose}
      />
    )
  return what === 'view' ? (
    <ReasonDialog
      title={t('suspend.view', { name })}
      message={t('suspend.viewHint')}
      confirm={t('suspend.confirmView')}
      action={{ ...view, run: (why) => view.mutate({ gid, why }) }}
      onClose={onClose}
    />
  ) : (
    <ReasonDialog
      danger
      title={t('suspend.person', { name })}
      message={t('suspend.personHint')}
      confirm={t('suspend.confirm')}
      action={{
        ...suspendPerson,
        run: (why) => suspendPerson.mutate({ gid, why }, { onSuccess: done(t('suspend.done', { name })) }),
      }}
      onClose={onClose}
    />
  )
}

function Row({ person, onAsk }: { person: AdminPerson; onAsk: (what: Asking['what']) => void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { resumePerson } = useAdminChanges()
  const { name } = person
  const projects = person.projects.length > 0 ? formatList(person.projects) : t('people.noProject')
  const seen = person.seen_at ? t('people.seen', { when: formatSince(person.seen_at) }) : t('people.never')
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>{name}</strong>
        <span className={styles.faint}>{[person.email, projects, seen].join(' · ')}</span>
        <span className={styles.badges}>
          {person.operator && <Badge tone="accent">{t('people.operator')}</Badge>}
          {person.two_factor && <Badge>{t('people.twoFactor')}</Badge>}
          {person.suspended_at && <Badge tone="danger">{t('projects.why', { why: person.suspended_why })}</Badge>}
        </span>
      </div>
      {(!person.operator || person.two_factor) && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own
        <div className={styles.buttons} role="group" aria-label={t('projects.actions', { name })}>
          {person.two_factor && (
            <Button size="s" design="ghost" onClick={() => onAsk('twoFactor')}>
              {t('people.turnOffTwoFactor')}
            </Button>
          )}
          {!person.operator && (
            <Button size="s" onClick={() => onAsk('view')}>
              {t('people.view')}
            </Button>
          )}
          {person.operator ? null : person.suspended_at ? (
            <Button
              size="s"
              loading={resumePerson.isPending}
              onClick={() =>
                resumePerson.mutate(person.gid, {
                  onSuccess: () => notify.success(t('projects.resumed', { name })),
                  onError: (error) => notify.error(failureText(error, common('errors.message'))),
                })
              }
            >
              {t('projects.resume')}
            </Button>
          ) : (
            <Button size="s" design="ghost" onClick={() => onAsk('suspend')}>
              {t('projects.suspend')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
