package io.millrace.jobtracker.store.jdbc.lane;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.lane.LaneStore;
import java.util.List;
import java.util.Map;

/** The table {@code jt_lane}. */
public final class JdbcLaneStore implements LaneStore {
  private final Database database;

  public JdbcLaneStore(Database database) {
    this.database = database;
  }

  @Override
  public List<Lane> find(String nodeGroup) {
    return database.list(
        "read the lanes of node group " + nodeGroup,
        "SELECT lane, labels FROM jt_lane WHERE node_group = :nodeGroup ORDER BY lane",
        Map.of("nodeGroup", nodeGroup),
        (row, number) -> new Lane(row.getInt("lane"), List.of(row.getString("labels").split(" "))));
  }

  @Override
  public void insert(String nodeGroup, Lane lane) {
    int unused =
        database.update(
            "store lane " + lane.number() + " of node group " + nodeGroup,
            "INSERT INTO jt_lane (node_group, lane, labels) VALUES (:nodeGroup, :lane, :labels)",
            Map.of(
                "nodeGroup",
                nodeGroup,
                "lane",
                lane.number(),
                "labels",
                String.join(" ", lane.labels())));
  }
}
