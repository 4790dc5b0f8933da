import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { contactsQuery } from '../../api/contacts'
import { failureText } from '../../api/failure'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import styles from './contacts.module.css'

const filters = ['all', 'none', 'only'] as const

/** The contacts created by a chatbot's flows. */
export function ContactsScreen() {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const [shown, setShown] = useState<(typeof filters)[number]>('all')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    contactsQuery(pgid, cgid, shown === 'all' ? undefined : shown),
  )
  const contacts = data?.pages.flatMap((page) => page.contacts)
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <Segmented
            label={t('filter.label')}
            value={shown}
            options={filters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={setShown}
          />
        }
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !contacts ? (
        <LoadingState rows={4} height={44} />
      ) : contacts.length === 0 ? (
        <EmptyState
          icon={<UsersRound />}
          title={t(shown === 'only' ? 'noTests' : 'emptyTitle')}
          message={t(shown === 'only' ? 'noTestsMessage' : 'emptyMessage')}
        />
      ) : (
        <div className={styles.list}>
          <Card flush>
            <section className={styles.scroll} aria-label={t('title')}>
              <table className={styles.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('name')}</th>
                    <th scope="col">{t('email')}</th>
                    <th scope="col">{t('phone')}</th>
                    <th scope="col">{t('created')}</th>
                  </tr>
                </thead>
                <tbody>
                  {contacts.map(({ gid, fields, test, created_at }) => (
                    <tr key={gid}>
                      <td>
                        {fields.name || fields.user_id || <span className={styles.none}>{t('unknown')}</span>}{' '}
                        {test && <Badge tone="warning">{t('test')}</Badge>}
                      </td>
                      <td>{fields.email}</td>
                      <td>{fields.phone}</td>
                      <td>
                        <time dateTime={created_at} title={formatMoment(created_at)}>
                          {formatSince(created_at)}
                        </time>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </Card>
          {hasNextPage && (
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
