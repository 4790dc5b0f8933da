import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { chooseStay, type LimitsView, type PlacesView } from '../../../server/contracts/limits'
import { refreshAccount, useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { limitsQuery } from '../../api/usage'
import { formatDate } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import styles from './stay.module.css'

/** What is over the plan's limits, or will be: by name, with a choice of what stays for owners. */
export function StayCards() {
  const { pgid = '' } = useParams()
  const { data } = useQuery(limitsQuery(pgid))
  if (!data) return null
  return data.limits.map((places) => (
    // a choice that was kept begins the form anew
    <StayCard key={`${places.limit} ${places.places.map(({ chosen }) => chosen)}`} view={data} places={places} />
  ))
}

function StayCard({ view, places }: { view: LimitsView; places: PlacesView }) {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  const { limit } = places
  const over = places.places.filter((place) => place.over).length
  const later = view.planned?.over.find((each) => each.limit === limit)
  // the smaller one counts: what is chosen shall stay then as well
  const max = Math.min(places.max, later?.max ?? places.max)
  if (over === 0 && !later) return null
  const count = places.places.length
  return (
    <Card
      title={t(`stay.titles.${limit}`)}
      description={
        <>
          {over > 0 && t(`stay.now.${limit}`, { plan: view.plan, max: places.max, count })}{' '}
          {later &&
            t('stay.later', {
              ...{ plan: view.planned?.plan, date: formatDate(view.planned?.at ?? '') },
              ...{ max: later.max, names: later.names.join(', ') },
            })}
        </>
      }
    >
      <StayForm pgid={pgid} places={places} max={max} />
    </Card>
  )
}

function StayForm({ pgid, places: { limit, places }, max }: { pgid: string; places: PlacesView; max: number }) {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const queries = useQueryClient()
  const chooses = useCan('billing.limits')
  const stays = places.slice(0, max).map(({ gid }) => gid)
  const [chosen, setChosen] = useState<readonly string[]>(stays)
  const save = useMutation({
    mutationFn: () =>
      callRoute(chooseStay, {
        params: { pgid },
        body: { limit, chosen: chosen.filter((gid) => !places.find((place) => place.gid === gid)?.fixed) },
      }),
    onSuccess: async (view) => {
      notify.success(t('stay.saved'))
      queries.setQueryData(limitsQuery(pgid).queryKey, view)
      await refreshAccount()
    },
  })
  const isChanged = places.some(({ gid }) => chosen.includes(gid) !== stays.includes(gid))
  const isFull = chosen.length >= max
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <ul className={styles.list}>
        {places.map(({ gid, name, fixed, over }) => {
          const isChosen = fixed || chosen.includes(gid)
          return (
            <li key={gid}>
              <span className={styles.place}>
                {chooses && (
                  <input
                    id={`stay-${gid}`}
                    type="checkbox"
                    checked={isChosen}
                    disabled={fixed || (!isChosen && isFull)}
                    onChange={({ currentTarget: { checked } }) =>
                      setChosen((before) => (checked ? [...before, gid] : before.filter((each) => each !== gid)))
                    }
                  />
                )}
                {chooses ? (
                  <label htmlFor={`stay-${gid}`} className={styles.name}>
                    {name}
                  </label>
                ) : (
                  <span className={styles.name}>{name}</span>
                )}
              </span>
              {fixed && <Badge>{t('stay.owner')}</Badge>}
              {over && (
                <Badge tone="warning">{t(limit === 'custom_domains' ? 'stay.notServed' : 'stay.readOnly')}</Badge>
              )}
            </li>
          )
        })}
      </ul>
      {save.error && (
        <p role="alert" className={styles.problem}>
          {failureText(save.error, common('errors.message'))}
        </p>
      )}
      {chooses ? (
        <div className={styles.end}>
          <p className={styles.hint} role="status">
            {t('stay.count', { chosen: Math.min(chosen.length, max), max })}
          </p>
          <Button type="submit" design="primary" loading={save.isPending} disabled={!isChanged}>
            {t('stay.save')}
          </Button>
        </div>
      ) : (
        <p className={styles.hint}>{t('stay.ownersChoose')}</p>
      )}
    </form>
  )
}
