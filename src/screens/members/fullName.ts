import type { Member } from '../../../server/contracts/members'

export const fullName = ({ first_name, last_name }: Member): string => `${first_name} ${last_name}`
