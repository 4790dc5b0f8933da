import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { actionKinds } from '../../../engine/values/agentActions'
import { actionsQuery } from '../../api/actions'
import { PageHeader } from '../../ui/PageHeader'
import styles from './actions.module.css'
import { kindIcons } from './kinds'
import { Notices } from './Notices'

/** /actions/new: the choice of the kind. */
export function NewActionScreen() {
  const { t } = useTranslation('actions')
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const { data } = useQuery(actionsQuery(place))
  return (
    <>
      <PageHeader title={t('choose.title')} description={t('choose.description')} />
      <div className={styles.stack}>
        {data && <Notices place={place} list={data} />}
        <ul className={styles.kinds}>
          {actionKinds.map((kind) => {
            const Icon = kindIcons[kind]
            const lacks = data && (!data.plan.actions || (kind === 'lead-form' && !data.plan.lead_form))
            return (
              <li key={kind}>
                {lacks ? (
                  <span className={styles.kind}>
                    <Icon size={16} aria-hidden /> {t(`kind.${kind}.name`)}
                  </span>
                ) : (
                  <Link className={styles.kind} to={`/projects/${pgid}/chatbots/${cgid}/actions/new/${kind}`}>
                    <Icon size={16} aria-hidden /> {t(`kind.${kind}.name`)}
                  </Link>
                )}
                <p>{lacks ? t('plan') : t(`kind.${kind}.does`)}</p>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
