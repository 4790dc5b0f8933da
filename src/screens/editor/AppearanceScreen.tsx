import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { failureText } from '../../api/failure'
import { lookQuery } from '../../api/look'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { AppearanceEditor, type Layout } from './AppearanceEditor'
import css from './editor.module.css'

/** /editor: how the chat looks to visitors, and what it says before anything was said. */
export const AppearanceScreen = () => <Appearance layout="beside" />

/** /editor/indexold: the same as a form of one page, without a preview (SPEC.md 2: as version 1 chatbots had it). */
export const AppearanceFormScreen = () => <Appearance layout="form" />

function Appearance({ layout }: { layout: Layout }) {
  const { t } = useTranslation('appearance')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...lookQuery(pgid, cgid),
    refetchOnWindowFocus: false,
  })
  // what was kept from an earlier visit may be older than what somebody has saved since
  if (data && isFetchedAfterMount)
    return <AppearanceEditor key={cgid} pgid={pgid} cgid={cgid} saved={data} layout={layout} />
  return (
    <div className={css.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={css.header}>
        <h1 className={css.title}>{t('title')}</h1>
      </header>
      <div className={css.waiting}>
        {error ? (
          <ErrorCard
            message={failureText(error, common('errors.message'))}
            action={{ label: common('actions.retry'), onClick: () => void refetch() }}
          />
        ) : (
          <LoadingState rows={5} height={64} />
        )}
      </div>
    </div>
  )
}
