/** The folder of failures that are not committed yet. */
export const FOUND_FOLDER = 'reports/failures'
