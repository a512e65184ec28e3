/**
 * The community of the replies that come through an adapter, as threads and deliveries name it: each adapter is one of
 * its own.
 */
export const communityOf = (adapterId: string): string => `teamchat:${adapterId}`
