import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { contactsQuery } from '../../api/contacts'
import { failureText } from '../../api/failure'
import { formatMoment, formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import styles from './contacts.module.css'

/** The people that a chatbot's flows made contacts of. */
export function ContactsScreen() {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    contactsQuery(pgid, cgid),
  )
  const contacts = data?.pages.flatMap((page) => page.contacts)
  return (
    <>
      <PageHeader title={t('title')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !contacts ? (
        <LoadingState rows={4} height={44} />
      ) : contacts.length === 0 ? (
        <EmptyState icon={<UsersRound />} title={t('emptyTitle')} message={t('emptyMessage')} />
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
                  {contacts.map(({ gid, fields, created_at }) => (
                    <tr key={gid}>
                      <td>{fields.name || fields.user_id || <span className={styles.none}>{t('unknown')}</span>}</td>
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
